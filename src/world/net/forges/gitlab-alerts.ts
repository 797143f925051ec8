// Reads open vulnerabilities of a GitLab project. They are asked for by GraphQL, as GitLab means to take away the older lists.
import { ALERT_SEVERITIES, type AlertKind, type ForgeAlert, type ForgeList } from "../../../contract/forge.ts";
import { untrustedText } from "../../../contract/text.ts";
import { type Fields, fieldsOf } from "../../../std/json-record.ts";
import type { GetPage } from "./pages.ts";
import { bodyOf, fieldIn, instantIn, jsonIn, listAt, missing, numberAt, refused, textAt, webAddress, words } from "./reading.ts";

const REPORTS: { readonly [kind in AlertKind]: readonly string[] } = {
  dependencies: ["DEPENDENCY_SCANNING", "CONTAINER_SCANNING"],
  code: ["SAST", "DAST"],
};

const QUERY = `query($path:ID!,$reports:[VulnerabilityReportType!],$after:String){project(fullPath:$path){vulnerabilities(state:[DETECTED,CONFIRMED],reportType:$reports,sort:severity_desc,first:100,after:$after){pageInfo{hasNextPage endCursor}nodes{id title description severity reportType detectedAt webUrl solution identifiers{name}location{...on VulnerabilityLocationDependencyScanning{file dependency{version package{name}}}...on VulnerabilityLocationContainerScanning{image dependency{version package{name}}}...on VulnerabilityLocationSast{file startLine}...on VulnerabilityLocationDast{path}}}}}}`;

export async function gitlabAlerts(
  { get, repo }: { readonly get: GetPage; readonly repo: string },
  place: string,
  { about, most }: { readonly about: readonly AlertKind[]; readonly most: number },
): Promise<ForgeList<ForgeAlert>> {
  const reports = about.flatMap((kind) => REPORTS[kind]);
  const items: ForgeAlert[] = [];
  let after: string | null = null;
  for (let number = 1; ; number++) {
    const page = await get({
      path: "/api/graphql",
      name: `alerts ${number}`,
      question: { query: QUERY, variables: { path: repo, reports, after } },
    });
    if (!page) throw missing(place);
    const answer = fieldsOf(jsonIn(page, "the question about vulnerabilities"));
    const all = fieldsOf(fieldIn(answer, "data", "project", "vulnerabilities"));
    const [problem] = listAt(answer, "errors");
    if (!all) throw problem ? refused(place, textAt(problem, "message")) : missing(place);
    items.push(...listAt(all, "nodes").map((node) => alertIn(node, place)));
    after = textAt(all, "pageInfo", "endCursor") ?? null;
    const hasMore = fieldIn(all, "pageInfo", "hasNextPage") === true && after !== null;
    if (!hasMore || items.length >= most)
      return { items: items.slice(0, most), notes: hasMore || items.length > most ? [`only the first ${most} alerts were looked at`] : [] };
  }
}

function alertIn(node: Fields, place: string): ForgeAlert {
  const severity = ALERT_SEVERITIES.find((one) => one === textAt(node, "severity")?.toLowerCase()) ?? "unknown";
  const name = textAt(node, "location", "dependency", "package", "name");
  const version = textAt(node, "location", "dependency", "version");
  const file = textAt(node, "location", "file") ?? textAt(node, "location", "image") ?? textAt(node, "location", "path");
  const line = numberAt(node, "location", "startLine");
  const solution = textAt(node, "solution");
  return {
    id: `${place} alert ${textAt(node, "id") ?? ""} ${version ?? ""}`.trimEnd(),
    title: untrustedText(`${name === undefined ? "" : `${name}: `}${textAt(node, "title") ?? "an alert"}`),
    ...bodyOf([textAt(node, "description"), solution].filter((text) => text !== undefined).join("\n\n")),
    trust: "outsider",
    at: instantIn(node, "detectedAt"),
    address: webAddress(textAt(node, "webUrl")),
    says: words(
      severity,
      textAt(node, "reportType")?.toLowerCase().replaceAll("_", " "),
      ...listAt(node, "identifiers")
        .slice(0, 3)
        .map((one) => textAt(one, "name")),
      version === undefined ? undefined : `in version ${version}`,
      file === undefined ? undefined : `${file}${line > 0 ? `:${line}` : ""}`,
    ),
    severity,
  };
}
