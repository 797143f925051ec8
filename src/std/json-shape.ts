// Whether a JSON value has the shape that a small part of JSON Schema asks for. Pure and bounded: the first problem, with its place.

const MOST_DEPTH = 40;

/** Keywords that are understood; any other makes a schema say more than is checked, so that it is refused. */
const KEYWORDS = new Set([
  "$schema",
  "title",
  "description",
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]);
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

interface Shape {
  readonly [keyword: string]: unknown;
}

const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null && !Array.isArray(value);

/** What is wrong with the schema itself, or undefined. */
export function shapeProblem(shape: unknown, at = "schema", depth = 0): string | undefined {
  if (!isShape(shape)) return `${at} is no map`;
  if (depth > MOST_DEPTH) return `${at} is nested too deeply`;
  const unknown = Object.keys(shape).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) return `${at} has ${JSON.stringify(unknown.slice(0, 40))}, which is not checked here`;
  if (shape.type !== undefined && !typesOf(shape).every((type) => TYPES.includes(type))) return `${at}.type is none of ${TYPES.join(", ")}`;
  for (const keyword of ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"])
    if (shape[keyword] !== undefined && typeof shape[keyword] !== "number") return `${at}.${keyword} is no number`;
  if (shape.required !== undefined && !(Array.isArray(shape.required) && shape.required.every((key) => typeof key === "string")))
    return `${at}.required is no list of names`;
  if (shape.enum !== undefined && !Array.isArray(shape.enum)) return `${at}.enum is no list`;
  if (shape.properties !== undefined && !isShape(shape.properties)) return `${at}.properties is no map`;
  const inner = [
    ...Object.entries(isShape(shape.properties) ? shape.properties : {}).map(([key, value]) => [value, `${at}.properties.${key}`] as const),
    ...(shape.items === undefined ? [] : [[shape.items, `${at}.items`] as const]),
    ...(isShape(shape.additionalProperties) ? [[shape.additionalProperties, `${at}.additionalProperties`] as const] : []),
  ];
  for (const [value, place] of inner) {
    const problem = shapeProblem(value, place, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What of a value is not as its shape asks, or undefined. */
export function misfit(value: unknown, shape: Shape, at = "it", depth = 0): string | undefined {
  if (depth > MOST_DEPTH) return `${at} is nested too deeply`;
  const types = typesOf(shape);
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return `${at} is ${typeOf(value)}, and should be ${types.join(" or ")}`;
  if (Array.isArray(shape.enum) && !shape.enum.some((one) => same(one, value)))
    return `${at} is none of ${JSON.stringify(shape.enum).slice(0, 200)}`;
  if (shape.const !== undefined && !same(shape.const, value)) return `${at} is not ${JSON.stringify(shape.const).slice(0, 100)}`;
  if (typeof value === "number") return bounded(value, shape, "minimum", "maximum", at, "");
  if (typeof value === "string") return bounded([...value].length, shape, "minLength", "maxLength", at, " characters");
  if (Array.isArray(value)) {
    const wrong = bounded(value.length, shape, "minItems", "maxItems", at, " entries");
    if (wrong !== undefined) return wrong;
    if (!isShape(shape.items)) return undefined;
    for (const [index, item] of value.entries()) {
      const problem = misfit(item, shape.items, `${at}[${index}]`, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  return isShape(value) ? misfitOfMap(value, shape, at, depth) : undefined;
}

function misfitOfMap(value: Shape, { properties, required, additionalProperties }: Shape, at: string, depth: number): string | undefined {
  const known = isShape(properties) ? properties : {};
  const missing = (Array.isArray(required) ? required : []).find((key) => typeof key === "string" && !Object.hasOwn(value, key));
  if (missing !== undefined) return `${at} has no ${String(missing)}`;
  for (const [key, inner] of Object.entries(value)) {
    const place = `${at}.${key.slice(0, 60)}`;
    const own = Object.hasOwn(known, key) ? known[key] : additionalProperties;
    if (own === false) return `${place} should not be there`;
    const problem = isShape(own) ? misfit(inner, own, place, depth + 1) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const typesOf = ({ type }: Shape): readonly string[] => (type === undefined ? [] : Array.isArray(type) ? type.map(String) : [String(type)]);

const isOf = (type: string, value: unknown): boolean => typeOf(value) === type || (type === "number" && typeOf(value) === "integer");

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function bounded(amount: number, shape: Shape, least: string, most: string, at: string, what: string): string | undefined {
  const [low, high] = [shape[least], shape[most]];
  if (typeof low === "number" && amount < low) return `${at} has ${amount}${what}, and ${low} are the least`;
  return typeof high === "number" && amount > high ? `${at} has ${amount}${what}, and ${high} are the most` : undefined;
}
