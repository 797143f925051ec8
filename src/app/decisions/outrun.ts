// A proposal that base outran: the same lines were changed there since. Who makes it again is told what it was, and where it no longer fits.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import { LoopError } from "../../contract/errors.ts";
import { factsOf } from "../../contract/proposal.ts";
import type { RunOpened } from "../../contract/record.ts";
import { untrustedText } from "../../contract/text.ts";
import { proposedIn } from "../../engine/proposed.ts";
import type { EntryOf } from "../../journal/journal.ts";
import { isClosed } from "../../journal/proposals.ts";
import type { House } from "../open-house.ts";

const MOST_DIFF = 20_000;

export async function outrunBy(house: House, last: EntryOf<"not-refreshed">): Promise<Pick<RunOpened, "outrun">> {
  const { base } = last.record;
  // Where it only repeats what base has, there is nothing to make again.
  if (last.record.paths.length === 0) return {};
  const proposed = proposedIn((await house.journal.story(last.run)).entries);
  if (!proposed || isClosed(proposed.state) || proposed.state.stuck?.base !== base) return {};
  const lesson = [
    `A change for this task was made and proven before, on ${proposed.round.base.slice(0, 12)} (${last.run}). Base changed the same lines since, in:`,
    ...last.record.paths.map((path) => `  ${path}`),
    "It was not taken. Bring what it did onto base as it is now, and keep what others changed there. It was:",
    "",
    await textOf(house, factsOf(proposed.proposal).artifacts.diff),
  ];
  return { outrun: { run: last.run, lessons: [untrustedText(lesson.join("\n"))] } };
}

async function textOf({ world }: House, diff: ArtifactRef | undefined): Promise<string> {
  if (!diff) return "(nobody kept what it changed)";
  try {
    const text = new TextDecoder().decode(await world.artifacts.read(diff));
    return text.length > MOST_DIFF ? `${text.slice(0, MOST_DIFF)}\n(cut: it is ${text.length} characters long)` : text;
  } catch (error) {
    if (error instanceof LoopError) return "(what it changed cannot be read any more)";
    throw error;
  }
}
