// A real repository with a proposal in it, and the real world that a verifier of it gets.
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Command } from "../../src/contract/commands.ts";
import type { VerifierWorld } from "../../src/contract/part-worlds.ts";
import type { RunOpened } from "../../src/contract/record.ts";
import type { Round } from "../../src/contract/round.ts";
import { LoopSpec } from "../../src/contract/spec.ts";
import { neverStops } from "../../src/contract/stop.ts";
import { untrustedText } from "../../src/contract/text.ts";
import type { CommitClaim, Verifier } from "../../src/contract/verifier.ts";
import type { World } from "../../src/contract/world.ts";
import { createRooms, createVerifierWorld } from "../../src/engine/worlds/verifier-world.ts";
import { askGuard } from "../../src/guard/command/ask-guard.ts";
import { createWorkspaceFiles } from "../../src/world/files/files.ts";
import { createRunGit } from "../../src/world/git/run-git.ts";
import { createWorkshop } from "../../src/world/git/workshop.ts";
import { systemClock } from "../../src/world/machine/clock.ts";
import { loadSyntax } from "../../src/world/machine/syntax.ts";
import { createProc } from "../../src/world/process/proc.ts";
import { createArtifacts } from "../../src/world/store/artifacts.ts";
import { barrenWorld, createFakeWorld } from "./fake-world.ts";
import { createRepo } from "./git-repo.ts";

type FilesByPath = { readonly [path: string]: string };

export interface ProvingGround {
  readonly claim: CommitClaim;
  readonly world: VerifierWorld;
  /** Every command that was run, in order. */
  readonly commands: readonly Command[];
  /** Where the spec would lie, and the target repository. */
  readonly folder: string;
  readonly repo: string;
  /** Where the round's copies are. */
  readonly copies: string;
  readonly remove: () => void;
}

const PATH = process.env.PATH ?? "/usr/bin:/bin";

export async function createProvingGround(base: FilesByPath, proposed: FilesByPath): Promise<ProvingGround> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-proving-")));
  const repo = createRepo();
  // Of its own, since processes are found, and ended, by the round that they belong to.
  const run = `prove-1-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
  const round: Round = {
    id: `${run}.1`,
    run,
    loop: "prove",
    number: 1,
    base: repo.commit("base", { files: base }),
    openedAt: "2026-01-02T03:04:05.678Z",
    lessons: [],
  };
  const artifacts = createArtifacts(join(folder, "artifacts"));
  const workshop = createWorkshop(join(folder, "rounds"), createRunGit({ path: PATH }), artifacts);
  const commands: Command[] = [];
  const proc = createProc(artifacts, systemClock, neverStops);
  const world: World = {
    ...createFakeWorld().world,
    clock: systemClock,
    workshop,
    artifacts,
    env: { get: (name) => (name === "PATH" ? PATH : undefined) },
    hookSettings: (adapter, flags) => `${adapter} ${flags}`,
    workspaceFiles: createWorkspaceFiles,
    loadSyntax,
    proc: {
      run(command) {
        commands.push(command);
        return proc.run(command);
      },
    },
  };

  const { work } = await workshop.openWorkspace(repo.dir, round);
  for (const [path, text] of Object.entries(proposed)) {
    await mkdir(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  const made = await workshop.commitWorkspace(repo.dir, round, "proposal\n");
  const checkout = await workshop.checkOut(repo.dir, round, made.commit, "1");
  const proposal = { kind: "commit", ...made, talk: { ended: "finished", summary: untrustedText("trust me") } } as const;

  const spec = LoopSpec.parse({
    name: "prove",
    intent: "Prove it.",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command" }],
  });
  const opened: RunOpened = {
    kind: "run-opened",
    number: 1,
    spec,
    specHash: "",
    specPath: "prove.loop.yaml",
    folder,
    repo: repo.dir,
    base: { ref: "main", commit: round.base },
    cursors: {},
    version: "0",
  };
  const rooms = createRooms(round, proposal, "1", { opened, asOf: "9999-01-01T00:00:00.000Z", world });
  return {
    claim: { proposal, checkout, timeLeftMs: 60_000 },
    world: { ...createVerifierWorld(round.id, 60_000, spec.budget, { world, guard: askGuard }, rooms), desk: barrenWorld.desk },
    commands,
    folder,
    repo: repo.dir,
    copies: join(folder, "rounds", round.loop, round.id),
    remove() {
      repo.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a verifier of commits says about the proposal. */
export function proveWith(verifier: Verifier, options: object, { claim, world }: Pick<ProvingGround, "claim" | "world">) {
  const ready = verifier.configure(options);
  if (ready.proves !== "commit") throw new Error(`${verifier.name} must prove commits`);
  return ready.verify(claim, world);
}
