// Which files of the sources have functions that ran, as the engine under us counts them; and in which of them something was done that
// had to be waited for. What only decides, or puts together, does not wait.
import { Session } from "node:inspector";

const session = new Session();
session.connect();
// A session with its own thread answers at once.
const ask = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw new Error(error.message);
    answer = result;
  });
  return answer;
};
ask("Debugger.enable");
ask("Profiler.enable");
ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** Paths below `src`. */
export function filesThatRan() {
  const files = ask("Profiler.takePreciseCoverage").result.flatMap(({ url, scriptId, functions }) => {
    const [, path] = /\/src\/((?!.*node_modules).*\.ts)$/.exec(url) ?? [];
    // The first is the module itself, which runs when it is imported.
    const ran = functions.slice(1).filter(({ ranges: [whole] }) => whole.count > 0);
    if (!path || ran.length === 0) return [];
    const { scriptSource } = ask("Debugger.getScriptSource", { scriptId });
    return [{ path, waits: ran.some(({ ranges: [{ startOffset }] }) => isAsync(scriptSource, startOffset)) }];
  });
  return { ran: files.map(({ path }) => path), waiting: files.filter(({ waits }) => waits).map(({ path }) => path) };
}

const isAsync = (text, at) => /\basync\s*$/.test(text.slice(Math.max(0, at - 20), at)) || /^async\b/.test(text.slice(at, at + 20));
