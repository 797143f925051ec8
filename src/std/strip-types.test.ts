import { beforeAll, expect, it } from "vitest";
import type { Syntax } from "../contract/syntax.ts";
import { loadSyntax } from "../world/machine/syntax.ts";
import { stripTypes } from "./strip-types.ts";

let syntax: Syntax;
beforeAll(async () => {
  syntax = await loadSyntax(["typescript", "javascript"]);
});

/** Spaces do not count; what is left must be JavaScript. */
function plain(text: string): string | undefined {
  const stripped = stripTypes(text, syntax.parse("typescript", text)!.root);
  if (stripped === undefined) return undefined;
  expect({ stripped, errors: syntax.parse("javascript", stripped)?.errors }).toEqual({ stripped, errors: 0 });
  return stripped.replace(/\s+/g, " ").trim();
}

it("leaves types, and what is only declared, out", () => {
  expect(
    plain(`interface A<T> { a: T }
type B = A<string> | undefined;
export type { A };
export interface C {}
declare const window: unknown;
function f(a: string): string;
function f<T extends A<T>>(a: T, b?: number, ...c: readonly string[]): a is string { return (a as unknown as string).length > b!; }
const g = <T>(x: T): T => x satisfies T;
let h!: Map<string, number>;
h = new Map<string, number>();`),
  ).toBe("function f(a, b, ...c) { return (a).length > b; } const g = (x) => x; let h; h = new Map();");
});

it("keeps what classes hold and do", () => {
  expect(
    plain(`export abstract class A<T> extends B<T> implements C {
  private readonly x: number = 1;
  static y?: string;
  declare z: string;
  [key: string]: unknown;
  abstract area(): number;
  public override get(this: A<T>, at: number): T | undefined { return this.#all[at]; }
}
class D { constructor(private readonly name: string, public size = 3) { this.go(); } }`),
  ).toBe(
    "export class A extends B { x = 1; static y; ; ; ; get( at) { return this.#all[at]; } } class D { constructor( name, size = 3) { this.name = name; this.size = size; this.go(); } }",
  );
});

it("imports only what is used as a value", () => {
  expect(
    plain(`import { Shape, area, type Unit } from "./shape.js";\nimport type { X } from "./x";\nexport const a = (s: Shape) => area(s);\n`),
  ).toBe('import { area} from "./shape.js"; export const a = (s) => area(s);');
});

it("has no plain form of what is more than a type", () => {
  for (const text of [
    "enum A { B }",
    "namespace A { export const b = 1; }",
    "@a class B {}",
    "class A extends B { constructor(private x: number) { super(); } }",
  ])
    expect(plain(text)).toBeUndefined();
});
