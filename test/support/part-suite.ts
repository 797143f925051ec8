// What every part of every registry promises about itself, whatever it does.
import { expect, it } from "vitest";
import * as z from "zod";
import type { Part } from "../../src/contract/part.ts";

interface JsonSchema {
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
}

/** Registers the promises of one part as tests. */
export function promisesOf(part: Part & { readonly configure: (options: unknown) => unknown }): void {
  it("has a name in lower case with dashes", () => {
    expect(part.name).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
  });

  it("says what it does in whole sentences", () => {
    expect(part.summary).toMatch(/^[A-Z][^\n]{10,250}\.$/);
  });

  it("describes its options, and every field of them, as a schema that editors can read", () => {
    const schema = z.toJSONSchema(part.options, { io: "input" }) as JsonSchema;

    expect(fieldsWithoutDescription(schema, "")).toEqual([]);
  });

  it("refuses options it does not know", () => {
    expect(() => part.configure({ "no-such-option": 1 })).toThrow(z.ZodError);
  });

  it.each([[{}], [undefined], [null], [1], ["text"], [[]], [{ run: 7, scenes: "x" }], [Object.create(null)]])(
    "takes the options %j or says what is wrong with them",
    (options) => {
      try {
        part.configure(options);
      } catch (error) {
        expect(error).toBeInstanceOf(z.ZodError);
      }
    },
  );
}

const fieldsWithoutDescription = ({ properties = {}, items, additionalProperties }: JsonSchema, at: string): readonly string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${at}${name}`]),
    ...fieldsWithoutDescription(field, `${at}${name}.`),
  ]),
  ...(items ? fieldsWithoutDescription(items, `${at}[].`) : []),
  ...(typeof additionalProperties === "object" ? fieldsWithoutDescription(additionalProperties, `${at}*.`) : []),
];
