// Reads open alerts of GitHub: about dependencies, and of code scanning.
import { ALERT_SEVERITIES, type AlertKind, type AlertSeverity, type ForgeAlert, type ForgeList } from "../../../contract/forge.ts";
import { untrustedText } from "../../../contract/text.ts";
import type { Fields } from "../../../std/json-record.ts";
import type { GetPage } from "./pages.ts";
import { bodyOf, instantIn, missing, numberAt, readList, textAt, webAddress, words } from "./reading.ts";

interface KindOfAlert {
  readonly path: string;
  readonly called: string;
  readonly read: (alert: Fields, place: string) => ForgeAlert;
}

const KINDS: { readonly [kind in AlertKind]: KindOfAlert } = {
  dependencies: { path: "dependabot/alerts", called: "alerts about dependencies", read: dependencyAlert },
  code: { path: "code-scanning/alerts", called: "alerts of code scanning", read: codeAlert },
};

export async function githubAlerts(
  { get }: { readonly get: GetPage },
  place: string,
  root: string,
  { about, most }: { readonly about: readonly AlertKind[]; readonly most: number },
): Promise<ForgeList<ForgeAlert>> {
  const items: ForgeAlert[] = [];
  const notes: string[] = [];
  let there = 0;
  for (const kind of about) {
    const { path, called, read } = KINDS[kind];
    const list = await readList(get, `${root}/${path}?state=open&per_page=100`, path, most);
    if (list) there += 1;
    // Nothing that was not looked at counts as in order.
    else notes.push(`there are no ${called}, or the token may not know of them: this was not looked at`);
    items.push(...(list?.all ?? []).map((alert) => read(alert, place)));
    if (list?.isWhole === false) notes.push(`only the first ${most} ${called} were looked at`);
  }
  if (there === 0) throw missing(place);
  return { items, notes };
}

function dependencyAlert(alert: Fields, place: string): ForgeAlert {
  const number = numberAt(alert, "number");
  const name = textAt(alert, "security_vulnerability", "package", "name") ?? textAt(alert, "dependency", "package", "name") ?? "a package";
  const fixed = textAt(alert, "security_vulnerability", "first_patched_version", "identifier");
  const severity = severityIn(textAt(alert, "security_vulnerability", "severity") ?? textAt(alert, "security_advisory", "severity"));
  return {
    // The same alert is worth another look once there is a version without it.
    id: `${place} dependency alert ${number} ${fixed ?? "without a fix"}`,
    title: untrustedText(`${name}: ${textAt(alert, "security_advisory", "summary") ?? "an alert"}`),
    ...bodyOf(textAt(alert, "security_advisory", "description")),
    trust: "outsider",
    at: instantIn(alert, "updated_at"),
    address: webAddress(textAt(alert, "html_url")),
    says: words(
      severity,
      textAt(alert, "security_advisory", "ghsa_id"),
      textAt(alert, "security_advisory", "cve_id"),
      textAt(alert, "security_vulnerability", "vulnerable_version_range"),
      fixed === undefined ? "no version without it is known" : `mended in ${fixed}`,
      textAt(alert, "dependency", "manifest_path"),
      textAt(alert, "dependency", "scope"),
    ),
    severity,
  };
}

function codeAlert(alert: Fields, place: string): ForgeAlert {
  const rule = textAt(alert, "rule", "id") ?? textAt(alert, "rule", "name") ?? "a rule";
  const path = textAt(alert, "most_recent_instance", "location", "path");
  const line = numberAt(alert, "most_recent_instance", "location", "start_line");
  const severity = severityIn(textAt(alert, "rule", "security_severity_level"));
  return {
    id: `${place} code alert ${numberAt(alert, "number")}`,
    title: untrustedText(`${rule}: ${textAt(alert, "rule", "description") ?? "an alert"}`),
    ...bodyOf(textAt(alert, "most_recent_instance", "message", "text")),
    trust: "outsider",
    at: instantIn(alert, "updated_at"),
    address: webAddress(textAt(alert, "html_url")),
    says: words(
      severity === "unknown" ? (textAt(alert, "rule", "severity") ?? severity) : severity,
      textAt(alert, "tool", "name"),
      path === undefined ? undefined : `${path}${line > 0 ? `:${line}` : ""}`,
      textAt(alert, "most_recent_instance", "ref"),
    ),
    severity,
  };
}

const severityIn = (text: string | undefined): AlertSeverity => ALERT_SEVERITIES.find((severity) => severity === text) ?? "unknown";
