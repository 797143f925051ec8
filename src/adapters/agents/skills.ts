// What every agent is taught, as skills: how to set Loopwright up, write a loop, take a refusal, and read the inbox; and one skill for each loop.
import type { Piece, TaughtLoop } from "../../contract/agents.ts";
import { plainCode, plainWords, withFrontMatter } from "./words.ts";

export interface Skill {
  /** The name of its folder too: lower-case letters, digits and hyphens, 64 at most. */
  readonly name: string;
  /** When it is to be read: all that an agent sees before. */
  readonly description: string;
  readonly body: string;
}

const SET_UP: Skill = {
  name: "loopwright-setup",
  description:
    "Set up Loopwright (lw) in this repository: write the first loop, let it run once, and teach the agents here. Use when somebody asks for a loop, for unattended work that proves itself, or when lw says that there is no loop.",
  body: `# Set Loopwright up

1. \`lw --version\` says whether it is here. If not: \`npm install --global loopwright\`, but ask the person first.
2. \`lw doctor\` says what this machine can do: git, a sandbox, agents on the PATH. Tell the person what it warns of.
3. \`lw init --dry-run\` shows the loop it would write from what it sees: how tests are run, and which agent makes changes. Show it, then \`lw init --yes\`.
4. \`lw run NAME\` runs it until it rests. A proven change waits for a person: \`lw inbox\`.
5. \`lw adapt\` teaches the agents of this repository its loops, and shows every change before it writes. \`lw adapt --check\` in CI keeps that true.

Only a person approves (\`lw approve\`), raises a level, or makes a check weaker. Ask; do not do it for them.
`,
};

const WRITE: Skill = {
  name: "loopwright-write-loop",
  description:
    "Write or change a Loopwright loop spec (*.loop.yaml). Use when somebody wants recurring work described as a loop, wants another check, budget or trigger in one, or when lw validate or lw lint complains about a spec.",
  body: `# Write a loop

A loop is one YAML file, \`.loopwright/NAME.loop.yaml\`: what to do, how far it may go, and what proves it.

1. Begin with something that works: \`lw intent "one sentence"\` or \`lw init\`; \`lw patterns\` lists ready-made loops, \`lw patterns show NAME\` prints one.
2. \`lw parts\` lists makers, verifiers, triggers, gates and actions; \`lw parts NAME\` says what one takes. Do not guess options.
3. Every loop needs a check that can fail for the right reason. \`run: "true"\` or an \`echo\` proves nothing and is refused.
4. \`lw validate FILE\` after every change: it says where, what and what instead. Then \`lw lint FILE\`, and \`lw cost NAME\` for what a run may cost.
5. Begin at L1 (it reports) or L2 (it proposes). L3 acts alone inside its allowlist: only a person decides that.

Keep the checks of a loop that is there. To make one weaker, ask the person and say what it would let through.
`,
};

const REFUSAL: Skill = {
  name: "loopwright-refusal",
  description:
    "Understand why Loopwright refused a change or a command, and what to do next. Use when lw referee, lw run, a stop hook or the command guard says no, or when a run ended as refuted, fabricated, blocked, tampering, gap or unknown.",
  body: `# Take a refusal

1. \`lw show RUN\` tells the whole run: every check with what it said, and the verdict. \`lw show RUN --diff\` shows the change. The name of a loop is its last run.
2. Read the words of the check, not only its colour:
   - **check failed**: the change is not right. Mend the code, not the test.
   - **fabricated**: something was cited that is not there. Take the claim back, or find what is really there.
   - **tampering**, **outside the allowlist**: the change touches what its maker may not decide about. Put it back.
   - **gap**, **cannot verify**: nobody could tell. Say so to the person; it is not a yes.
   - **blocked**: the guard refused a command and says what to do instead. \`lw guard "COMMAND"\` tells it again. Do not look for another way to the same thing.
3. Mend it, then \`lw referee\` on the checkout. Exit 0 is proven; everything else is not.

Never change a spec, a sealed test, \`.loopwright/\` or CI to get a yes. If the check itself is wrong, tell the person what it says and why that is wrong, and stop.
`,
};

const INBOX: Skill = {
  name: "loopwright-inbox",
  description:
    "Read what waits for a person in Loopwright's inbox, and prepare the decision. Use when somebody asks what loops did, what waits for them, or whether a proposal is good.",
  body: `# Read the inbox

1. \`lw inbox\` lists what waits, most pressing first; \`lw inbox --json\` is for you. \`lw status\` says where every loop stands.
2. For each: \`lw show RUN\` for what was asked, made and proven, \`lw show RUN --diff\` for the change.
3. Tell the person in a few lines: what it changes, what proves it, what nobody proved, what it cost, and what you would look at first.
4. The decision is theirs: \`lw approve RUN\`, \`lw reject RUN --why ...\`, \`lw defer RUN\`. Write the command out for them; do not run it, also when it seems clear.

What a maker says about its own work counts for nothing. Go by the checks.
`,
};

/** Those that are the same in every repository. */
export const skills: readonly Skill[] = [SET_UP, WRITE, REFUSAL, INBOX];

export const loopSkill = ({ name, intent, level, spec, proofs }: TaughtLoop): Skill => ({
  name: `loop-${name}`,
  description: plainWords(`Work on the loop ${name} of this repository, or run it. Its purpose: ${intent}`),
  body: `# The loop ${name}

- What for: ${plainWords(intent)}
- How far it may go: ${plainWords(level)}
- Its spec: ${plainCode(spec)}
${proofs.map((proof) => `- Proven by: ${plainCode(proof)}\n`).join("")}
To let it run: \`lw run ${name}\`. To do its work yourself in this checkout:

1. \`lw referee --begin\` before you change anything.
2. Read the spec. Make the smallest change that does what it says, and leave its checks and the spec as they are.
3. \`lw referee --loop ${name}\`: exit 0 is proven. Anything else says what is missing; mend that and ask again.
4. Say what the referee said, in its words. If it cannot tell, say that, and stop.
`,
});

export const skillText = ({ name, description, body }: Skill): string => withFrontMatter({ name, description }, body);

/** The skills as files below a folder. */
export const skillFiles = (folder: string, loops: readonly TaughtLoop[]): readonly Piece[] =>
  [...skills, ...loops.map(loopSkill)].map((skill) => ({
    kind: "file",
    path: `${folder}/${skill.name}/SKILL.md`,
    body: skillText(skill),
    marks: "markdown",
  }));

export const ownSkills = (folder: string): readonly string[] => [
  ...skills.map(({ name }) => `${folder}/${name}/SKILL.md`),
  `${folder}/loop-*/SKILL.md`,
];

/** A second agent that looks at a change with nothing to lose. */
export const CHECKER = {
  name: "loopwright-checker",
  description:
    "Checks a change with Loopwright's referee and reports what it proves and what it does not. Use before a change is called done. It changes nothing.",
  body: `You check changes; you do not make them. Edit no file.

1. Run \`lw referee\` (with \`--loop NAME\` where you were told one) in this checkout, and read all that it says.
2. For a refusal read \`lw show RUN\`.
3. Report: the verdict and its exit code in the referee's own words, which checks were run, what they leave unproven, and the first thing to mend.

If the referee cannot be run, report that. It is not a yes, and your own opinion is none either.
`,
};
