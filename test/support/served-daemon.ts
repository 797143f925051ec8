// The built `lw serve` as a process of its own, with its dashboard, its loops and a maker that talks and waits for the test.
import { join } from "node:path";
import { type Place, type Running, UNBOXED, until } from "./lw.ts";

/** What it says, what it asks and what it does are files of the place: `say` is its talk, `go` lets it work, `ask` makes it ask. */
const TALKING = `#!/bin/sh
cat > "$LOOPWRIGHT_MARKS/brief"
echo '{"type":"system","subtype":"init","session_id":"5e56"}'
say() {
  echo '{"type":"assistant","message":{"id":"m1","model":"claude-sonnet-4-5","content":[{"type":"text","text":"'"$1"'"}],"usage":{"input_tokens":10,"output_tokens":5}}}'
}
while read -r line; do say "$line"; done < "$LOOPWRIGHT_MARKS/say"
until [ -e "$LOOPWRIGHT_MARKS/go" ]; do sleep 0.05; done
result=Done.
if [ -e "$LOOPWRIGHT_MARKS/ask" ]; then result=$(cat "$LOOPWRIGHT_MARKS/ask"); rm "$LOOPWRIGHT_MARKS/ask"; else echo right > docs/value.txt; fi
say "$result"
echo '{"type":"result","subtype":"success","is_error":false,"result":"'"$result"'","usage":{"input_tokens":10,"output_tokens":5},"total_cost_usd":0.01}'
`;

export interface ServedDaemon {
  readonly url: string;
  readonly link: string;
  readonly process: Running;
}

/** A loop `fix` that this home looks after, whose maker talks. */
export async function addTalkingLoop(place: Place, more: object = {}): Promise<void> {
  place.write("home/machine.yaml", "headroom: { cpu: 0%, memory: 0% }\nlisten: { port: 0 }\n");
  place.writeProgram("bin/claude", TALKING);
  place.write("marks/say", "I look at the value first.\n");
  const spec = {
    name: "fix",
    intent: "Make it right.",
    level: "L2",
    target: { repo: place.repo.dir, base: "main" },
    maker: { use: "claude-code", with: { inherit: ["LOOPWRIGHT_MARKS"] } },
    verifiers: [{ use: "command", with: { run: "grep -x right docs/value.txt" } }],
    baseline: { when: "off" },
    act: [{ use: "merge" }],
    box: UNBOXED,
    ...more,
  };
  const { exit, stderr } = await place.lw(["add", place.write("fix.loop.json", JSON.stringify(spec)), "--as", "ada"]);
  if (exit !== 0) throw new Error(`it was not added: ${stderr}`);
}

/** At an address of its own, or where another one was before. */
export async function startDaemon(place: Place, at = "127.0.0.1:0"): Promise<ServedDaemon> {
  const process = place.start(["serve", "--json", "--as", "ada", "--listen", at], {
    env: { PATH: `${join(place.dir, "bin")}:${globalThis.process.env.PATH ?? ""}`, LOOPWRIGHT_MARKS: join(place.dir, "marks") },
  });
  let ended = false;
  process.ended.finally(() => {
    ended = true;
  });
  for (;;) {
    if (ended) throw new Error(`it does not serve: ${JSON.stringify(await process.ended)}`);
    const { exit, said } = await place.json(["open"]);
    if (exit === 0) return { url: said.url, link: said.link, process };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** As a crash would: nothing is said, and nothing is put in order. */
export async function killDaemon({ process }: ServedDaemon): Promise<void> {
  process.signal("SIGKILL");
  await process.ended;
}

export async function stopDaemon({ process }: ServedDaemon): Promise<number | NodeJS.Signals> {
  process.signal("SIGTERM");
  return (await process.ended).exit;
}

export const stateOf = async (place: Place, loop: string): Promise<string> =>
  (await place.json(["status"])).said.loops.find((view: { readonly loop: string }) => view.loop === loop)?.state;

export const untilState = (place: Place, loop: string, state: string): Promise<void> =>
  until(async () => (await stateOf(place, loop)) === state);
