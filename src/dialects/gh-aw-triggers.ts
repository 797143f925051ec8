// What wakes an agentic workflow of GitHub, as triggers of ours; events of GitHub wake by a webhook, once somebody says where.
import type { Path } from "../spec/path.ts";
import type { Putting } from "./define-dialect.ts";
import { interval, type PartValue } from "./putting.ts";
import { type Fields, fieldsOf, listOf, textOf, textsAt } from "./values.ts";

export interface GithubWaking {
  readonly trigger: PartValue;
  /** What somebody who starts it by hand may say. */
  readonly inputs: Fields;
}

export function githubTriggers(on: unknown, at: Putting): GithubWaking {
  const events =
    typeof on === "string"
      ? { [on]: null }
      : Array.isArray(on)
        ? Object.fromEntries(on.map((event) => [String(event), null]))
        : fieldsOf(on);
  const isMap = typeof on === "object" && !Array.isArray(on);
  const found = Object.entries(events).flatMap(([event, wish]) => triggersOf(event, wish, isMap ? ["on", event] : ["on"], at));
  const [only, ...others] = found;
  const trigger = only === undefined ? { use: "manual" } : others.length === 0 ? only : { use: "any", with: { of: found.slice(0, 10) } };
  return { trigger, inputs: inputsOf(fieldsOf(fieldsOf(events).workflow_dispatch).inputs, at) };
}

function triggersOf(event: string, wish: unknown, path: Path, at: Putting): readonly PartValue[] {
  if (event === "workflow_dispatch") {
    at.notes.tell("translated", wish === null || wish === undefined ? path : path.slice(0, 2), "trigger", "`lw run`");
    return [];
  }
  if (event === "schedule" && typeof wish === "string" && CRON.test(wish.trim())) {
    at.notes.tell("translated", path, "trigger");
    return [{ use: "cron", with: { schedule: wish.trim() } }];
  }
  if (event === "schedule") return typeof wish === "string" ? spoken(wish, path, at) : crons(listOf(wish), path, at);
  if (SCHEDULES.test(event) && wish === null) return spoken(event, path, at);
  if (event === "manual-approval") {
    at.notes.tell("inherent", path, "gate", "at L2 a person decides about every proposal");
    return [];
  }
  if (event === "push") return pushes(fieldsOf(wish), path, at);
  if (EVENTS.has(event)) return byWebhook(event, wish, path, at);
  at.notes.tell("lost", path, "", "no counterpart: nothing of ours wakes, waits or answers by this");
  return [];
}

const EVENTS: ReadonlySet<string> = new Set([
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "discussion",
  "discussion_comment",
  "release",
  "workflow_run",
  "deployment_status",
  "check_run",
  "check_suite",
]);

function crons(entries: readonly unknown[], path: Path, { notes }: Putting): readonly PartValue[] {
  return entries.slice(0, 10).flatMap((entry, index) => {
    const { cron, timezone } = fieldsOf(entry);
    const schedule = textOf(cron);
    if (schedule === undefined || schedule.trim().split(/\s+/).length !== 5) {
      notes.tell("lost", [...path, index], "", "is no cron schedule of five fields");
      return [];
    }
    const zone = textOf(timezone);
    notes.tell("translated", [...path, index], "trigger");
    return [{ use: "cron", with: { schedule: schedule.trim(), ...(zone === undefined ? {} : { zone }) } }];
  });
}

/** Five fields of cron, written where words may stand too. */
const CRON = /^[\d*][\d*,/-]*(?:\s+[\w*,/-]+){4}$/;
const SCHEDULES = /^(hourly|daily|weekly|every )/i;
const TIME = "(midnight|noon|\\d{1,2}(?::\\d{2})?\\s*(?:am|pm)?)";
const DAILY = new RegExp(`^daily(?: (?:around|between) ${TIME}(?: and ${TIME})?)?(?: utc([+-]\\d{1,2}))?$`, "i");
const WEEKLY = new RegExp(`^weekly(?: on ([a-z]+))?(?: (?:around|between) ${TIME}(?: and ${TIME})?)?(?: utc([+-]\\d{1,2}))?$`, "i");
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** `daily around 14:00` and the like. Its compiler scatters times; ours are those that were written. */
function spoken(text: string, path: Path, { notes }: Putting): readonly PartValue[] {
  const trigger = spokenTrigger(text.trim().toLowerCase().replaceAll(/\s+/g, " "));
  if (trigger === undefined) notes.tell("lost", path, "", "is no schedule that is known here: write a cron schedule");
  else notes.tell("translated", path, "trigger", "at the time that is written, and not scattered around it");
  return trigger === undefined ? [] : [trigger];
}

function spokenTrigger(text: string): PartValue | undefined {
  if (text === "hourly") return { use: "every", with: { interval: "1h" } };
  const [, count, unit] = /^every (\d{1,4}) ?(m|h|d|minutes?|hours?|days?)$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const every = interval(`${count}${unit[0]}`);
    return every === undefined ? undefined : { use: "every", with: { interval: every } };
  }
  const daily = DAILY.exec(text);
  if (daily !== null) {
    const at = daily[1] === undefined ? undefined : clock(daily[1]);
    return at === undefined ? { use: "every", with: { interval: "1d" } } : { use: "daily", with: { at, ...zoned(daily[3]) } };
  }
  const weekly = WEEKLY.exec(text);
  const on = DAYS.find((day) => weekly?.[1]?.startsWith(day));
  if (weekly === null || (weekly[1] !== undefined && on === undefined)) return undefined;
  const at = weekly[2] === undefined ? "00:00" : clock(weekly[2]);
  if (on === undefined || at === undefined) return { use: "every", with: { interval: "7d" } };
  return { use: "weekly", with: { on, at, ...zoned(weekly[4]) } };
}

function clock(text: string): string | undefined {
  if (text === "midnight") return "00:00";
  if (text === "noon") return "12:00";
  const [, hours, minutes = "00", half] = /^(\d{1,2})(?::(\d{2}))?\s*(am|pm)?$/.exec(text) ?? [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "pm" ? 12 : 0);
  return hour <= 23 && Number(minutes) <= 59 ? `${String(hour).padStart(2, "0")}:${minutes}` : undefined;
}

/** Zones of the IANA's that are whole hours off have the sign turned around. */
const zoned = (offset: string | undefined): { readonly zone?: string } =>
  offset === undefined ? {} : { zone: `Etc/GMT${offset.startsWith("-") ? "+" : "-"}${Number(offset.slice(1))}` };

function pushes(wish: Fields, path: Path, at: Putting): readonly PartValue[] {
  const branches = textsAt(wish.branches, [...path, "branches"]);
  const plain = branches.filter(({ text }) => /^[\w./-]+$/.test(text) && !text.startsWith("-"));
  for (const branch of branches)
    if (plain.includes(branch)) at.notes.tell("translated", branch.path, "trigger");
    else at.notes.tell("lost", branch.path, "", "is a pattern: name the branch");
  if (branches.length === 0) at.notes.tell("lost", path, "", "which branch? Add a trigger `git` with its ref");
  return plain.slice(0, 5).map(({ text }) => ({ use: "git", with: { ref: text } }));
}

/** The daemon hears events of GitHub at an address, signed with a secret: neither is in the file. */
function byWebhook(event: string, wish: unknown, path: Path, { bindings, notes }: Putting): readonly PartValue[] {
  const [address, secret] = [bindings.set.get("webhook.address"), bindings.set.get("webhook.secret")];
  if (address === undefined || secret === undefined) {
    notes.tell("lost", path, "", "an event of GitHub: say where it is heard with --set webhook.address=NAME --set webhook.secret=VARIABLE");
    return [];
  }
  const filters = Object.keys(fieldsOf(wish));
  for (const filter of filters) notes.tell("lost", [...path, filter], "", "events are told apart by their names, branches and labels only");
  if (filters.length === 0) notes.tell("translated", path, "trigger");
  return [{ use: "webhook", with: { address, form: "github", secret, events: [event] } }];
}

const TYPES: { readonly [type: string]: string } = {
  string: "text",
  boolean: "boolean",
  number: "number",
  choice: "choice",
  environment: "text",
};

function inputsOf(declared: unknown, { notes }: Putting): Fields {
  const entries = Object.entries(fieldsOf(declared)).slice(0, 50);
  return Object.fromEntries(
    entries.map(([name, written]) => {
      const { description, required, type, default: usual, options } = fieldsOf(written);
      const values = listOf(options).map(String);
      const kind = TYPES[textOf(type) ?? "string"] ?? "text";
      notes.tell("translated", ["on", "workflow_dispatch", "inputs", name], "inputs");
      return [
        name.toLowerCase().replaceAll("_", "-"),
        {
          type: kind === "choice" && values.length === 0 ? "text" : kind,
          about: textOf(description)?.trim() || name,
          ...(required === true ? { required } : {}),
          ...(kind === "choice" && values.length > 0 ? { values } : {}),
          ...(usual === undefined || required === true ? {} : { default: usual }),
        },
      ] as const;
    }),
  );
}
