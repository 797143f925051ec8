// Puts a watcher in the place of the journals, for everybody but the watcher itself.
const WATCHER = new URL("watched-journals.mjs", import.meta.url).href;
const JOURNALS = /\/src\/journal\/(run|sqlite)-journal\.ts$/;

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return JOURNALS.test(found.url) && context.parentURL !== WATCHER ? { ...found, url: WATCHER } : found;
}
