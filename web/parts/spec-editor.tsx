// A spec to be changed: its lines with their numbers, and what is wrong with each of them at its place.
import { useMemo, useRef } from "preact/hooks";
import type { SpecProblemView } from "../../src/contract/api.ts";
import { plural } from "../words/format.ts";
import { Shown } from "./shown.tsx";

interface SpecEditorProps {
  readonly text: string;
  readonly problems: readonly SpecProblemView[];
  readonly warnings: readonly SpecProblemView[];
  readonly isFixed: boolean;
  readonly onChange: (text: string) => void;
}

export function SpecEditor({ text, problems, warnings, isFixed, onChange }: SpecEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const lines = useMemo(() => text.split("\n"), [text]);
  const marked = useMemo(
    () => new Map([...warnings.map(({ line }) => [line, "doubted"] as const), ...problems.map(({ line }) => [line, "wrong"] as const)]),
    [problems, warnings],
  );
  const goTo = ({ line, col }: SpecProblemView): void => {
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const at = Math.min(text.length, before + Math.max(0, col - 1));
    field.current?.focus();
    field.current?.setSelectionRange(at, Math.min(text.length, before + (lines[line - 1]?.length ?? 0)));
  };
  return (
    <>
      <div class="editor code">
        <ol class="gutter" aria-hidden="true">
          {lines.map((_, index) => (
            <li key={index} class={marked.get(index + 1) ?? ""}>
              {index + 1}
            </li>
          ))}
        </ol>
        <textarea
          ref={field}
          aria-label="Spec"
          aria-describedby="spec-problems"
          aria-invalid={problems.length > 0}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          rows={lines.length}
          readOnly={isFixed}
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <div id="spec-problems" role="status">
        <p class="body s dim problem-count">
          {problems.length === 0
            ? warnings.length === 0
              ? "No problems."
              : `No problems, ${plural(warnings.length, "warning")}.`
            : `${plural(problems.length, "problem")}. Nothing runs before ${problems.length === 1 ? "it is" : "they are"} mended.`}
        </p>
        {problems.length + warnings.length > 0 ? (
          <ul class="problems">
            {[...problems, ...warnings].map((one, index) => (
              <li key={index} class={index < problems.length ? "wrong" : "doubted"}>
                <button class="btn quiet" type="button" onClick={() => goTo(one)}>
                  line {one.line}
                </button>
                <span>
                  <b>
                    <Shown text={one.path} />
                  </b>{" "}
                  <Shown text={one.problem} /> <Shown text={one.instead} />
                </span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </>
  );
}
