// New loop: the frame in which a loop is chosen, looked at and tried before it is added.
import { Panel } from "../parts/bits.tsx";

const STEPS: readonly { readonly title: string; readonly says: string; readonly commands: readonly string[] }[] = [
  {
    title: "See one go all the way through",
    says: "The demo makes a repository of its own, breaks a test, and lets a scripted maker mend it. No key, no network.",
    commands: ["lw demo"],
  },
  {
    title: "Write the spec",
    says: "One file says what the loop wants, who makes it, which checks prove it, and what may move. The schema helps an editor to complete it.",
    commands: ["lw schema > loop.schema.json", "lw parts"],
  },
  {
    title: "See what is wrong with it, and what it costs",
    says: "Problems are told with their lines. The cost is a forecast: by its budget, and by its history once it has one.",
    commands: ["lw validate fix-tests.loop.yaml", "lw cost fix-tests.loop.yaml"],
  },
  {
    title: "Try one round",
    says: "It works in a copy of its own. At L1 it reports, at L2 it proposes and you decide here.",
    commands: ["lw run fix-tests.loop.yaml"],
  },
];

export const NewPage = () => (
  <div class="page">
    <div class="head">
      <div>
        <h1>A new loop is four steps, and nothing moves before you say so</h1>
        <p class="lead">
          Ready-made loops will be offered here as they come. Until then a spec is written by hand, and appears under Loops with its first
          run.
        </p>
      </div>
    </div>
    <div class="stack">
      {STEPS.map(({ title, says, commands }, index) => (
        <Panel key={title} title={title} count={index + 1}>
          <div class="empty">
            <p>{says}</p>
            {commands.map((command) => (
              <code class="code" key={command}>
                {command}
              </code>
            ))}
          </div>
        </Panel>
      ))}
    </div>
  </div>
);
