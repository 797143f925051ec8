// Which bytes a Range header asks for. Pure; what is not understood asks for everything, as the standard says.

export type ByteRange =
  | { readonly kind: "all" }
  | { readonly kind: "part"; readonly from: number /** Left out. */; readonly to: number }
  | { readonly kind: "none" };

/** Several parts at once are not given: then all of it is. */
export function readRange(header: string | undefined, size: number): ByteRange {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return { kind: "all" };
  if (first === "") {
    const from = Math.max(0, size - Number(last));
    return Number(last) === 0 || size === 0 ? { kind: "none" } : { kind: "part", from, to: size };
  }
  const from = Number(first);
  const to = last === "" ? size : Math.min(size, Number(last) + 1);
  if (last !== "" && Number(last) < from) return { kind: "all" };
  return from >= size ? { kind: "none" } : { kind: "part", from, to };
}
