import { describe, expect, it } from "vitest";
import { dependencyTools } from "./index.ts";

const { npm, pnpm, pip, cargo, go } = dependencyTools;
const json = (value: unknown): string => JSON.stringify(value, null, 2);

describe("npm", () => {
  it("tells what is outdated, in workspaces for each of them, and what is not installed", () => {
    const printed = json({
      lodash: { current: "4.17.20", wanted: "4.17.21", latest: "4.17.21", dependent: "app", location: "node_modules/lodash" },
      react: [
        { current: "17.0.2", wanted: "17.0.2", latest: "19.2.0", dependent: "web" },
        { wanted: "18.3.1", latest: "19.2.0", dependent: "docs" },
      ],
    });

    expect(npm.outdated.read(printed)).toEqual({
      found: [
        { name: "lodash", version: "4.17.20", latest: "4.17.21", more: ["its range takes 4.17.21", "for app"] },
        { name: "react", version: "17.0.2", latest: "19.2.0", more: ["its range takes 17.0.2", "for web"] },
        { name: "react", version: undefined, latest: "19.2.0", more: ["its range takes 18.3.1", "for docs"] },
      ],
    });
    expect([npm.outdated.read("{}"), npm.outdated.read("")]).toEqual([{ found: [] }, { found: [] }]);
  });

  it("tells each advisory with the package that it is about, and not those that only lean on it", () => {
    const advisory = { source: 1, name: "nanoid", title: "Predictable", url: "https://github.com/advisories/GHSA-1", severity: "moderate" };
    const printed = json({
      auditReportVersion: 2,
      vulnerabilities: {
        nanoid: {
          name: "nanoid",
          severity: "moderate",
          isDirect: true,
          via: [{ ...advisory, range: "<3.3.8" }],
          fixAvailable: { name: "nanoid", version: "5.0.9", isSemVerMajor: true },
        },
        postcss: { name: "postcss", severity: "moderate", isDirect: false, via: ["nanoid"], fixAvailable: true },
      },
    });

    expect(npm.vulnerable.read(printed)).toEqual({
      found: [
        {
          name: "nanoid",
          version: undefined,
          advisory: "GHSA-1",
          title: "Predictable",
          severity: "moderate",
          mendedIn: "nanoid 5.0.9 (a new major version)",
          address: "https://github.com/advisories/GHSA-1",
          more: ["<3.3.8", "a direct dependency"],
        },
      ],
    });
  });
});

describe("pnpm", () => {
  it("tells what is outdated, installed or not", () => {
    const printed = json({
      vue: { current: "2.7.14", latest: "3.5.0", wanted: "2.7.14", isDeprecated: true, dependencyType: "dependencies" },
    });

    expect(pnpm.outdated.read(printed)).toEqual({
      found: [{ name: "vue", version: "2.7.14", latest: "3.5.0", more: ["of dependencies", "deprecated"] }],
    });
  });

  it("tells advisories with the version that was found, and that some are not mended", () => {
    const one = {
      module_name: "node-fetch",
      severity: "high",
      title: "Leak",
      vulnerable_versions: "<2.6.7",
      url: "https://github.com/advisories/GHSA-2",
    };
    const printed = json({
      advisories: {
        1: {
          ...one,
          id: 1,
          patched_versions: ">=2.6.7",
          github_advisory_id: "GHSA-2",
          findings: [{ version: "2.0.0", paths: [".>node-fetch"] }],
        },
        2: { ...one, id: 2, patched_versions: "<0.0.0", findings: [] },
      },
    });

    expect(pnpm.vulnerable.read(printed)?.found.map(({ version, advisory, mendedIn }) => [version, advisory, mendedIn])).toEqual([
      ["2.0.0", "GHSA-2", ">=2.6.7"],
      [undefined, "GHSA-2", undefined],
    ]);
  });
});

describe("pip", () => {
  it("tells what is outdated", () => {
    expect(pip.outdated.read(json([{ name: "flask", version: "2.0.0", latest_version: "3.1.0", latest_filetype: "wheel" }]))).toEqual({
      found: [{ name: "flask", version: "2.0.0", latest: "3.1.0" }],
    });
  });

  it("tells advisories, and what pip-audit did not look at", () => {
    const vuln = { id: "PYSEC-2023-62", fix_versions: ["2.2.5", "2.3.2"], aliases: ["CVE-2023-30861"], description: "Cookies.\nMore." };
    const dependencies = [
      { name: "flask", version: "2.0.0", vulns: [vuln] },
      { name: "own", skip_reason: "not on PyPI" },
      { name: "click", version: "8.1.7", vulns: [] },
    ];

    expect(pip.vulnerable.read(json({ dependencies, fixes: [] }))).toEqual({
      found: [
        {
          name: "flask",
          version: "2.0.0",
          advisory: "PYSEC-2023-62",
          title: "Cookies.",
          severity: undefined,
          mendedIn: "2.2.5 or 2.3.2",
          address: "https://osv.dev/vulnerability/PYSEC-2023-62",
          more: ["CVE-2023-30861"],
        },
      ],
      notes: ["pip-audit did not look at 1 package(s), such as own: not on PyPI"],
    });
  });
});

describe("cargo", () => {
  it("tells what is outdated in each crate, and leaves out what has no newer version", () => {
    const crate = (crate_name: string, latest: string) =>
      JSON.stringify({
        crate_name,
        dependencies: [{ name: "serde", project: "1.0.1", compat: "1.0.9", latest, kind: "Development", platform: null }],
      });

    expect(cargo.outdated.read(`${crate("a", "1.0.9")}\n${crate("b", "Removed")}\n`)).toEqual({
      found: [{ name: "serde", version: "1.0.1", latest: "1.0.9", more: ["development", "for a"] }],
    });
  });

  it("tells advisories, and what is unmaintained or yanked", () => {
    const about = { package: { name: "time", version: "0.1.44" }, versions: { patched: [">=0.2.23"], unaffected: [] } };
    const printed = JSON.stringify({
      vulnerabilities: {
        found: true,
        count: 1,
        list: [{ ...about, advisory: { id: "RUSTSEC-2020-0071", title: "Segfault", aliases: ["CVE-1"] } }],
      },
      warnings: { yanked: [{ kind: "yanked", package: { name: "abao", version: "0.2.0" }, advisory: null, versions: null }] },
    });

    expect(cargo.vulnerable.read(printed)?.found.map(({ name, advisory, title, mendedIn }) => [name, advisory, title, mendedIn])).toEqual([
      ["time", "RUSTSEC-2020-0071", "Segfault", ">=0.2.23"],
      ["abao", "yanked", "this version is yanked", undefined],
    ]);
  });
});

describe("go", () => {
  it("tells of direct dependencies what is outdated", () => {
    const modules = [
      { Path: "example.com/app", Main: true },
      { Path: "example.com/a", Version: "v1.0.0", Update: { Path: "example.com/a", Version: "v1.2.0" } },
      { Path: "example.com/b", Version: "v1.0.0", Indirect: true, Update: { Path: "example.com/b", Version: "v1.2.0" } },
      { Path: "example.com/c", Version: "v1.0.0" },
    ];

    expect(go.outdated.read(modules.map(json).join("\n"))).toEqual({
      found: [{ name: "example.com/a", version: "v1.0.0", latest: "v1.2.0", more: [] }],
    });
  });

  it("tells each vulnerability of a module once, by how near it is, whatever stands in its texts", () => {
    const at = { module: "golang.org/x/text", version: "v0.3.0" };
    const finding = (trace: object) => ({ finding: { osv: "GO-2021-0113", fixed_version: "v0.3.7", trace: [trace] } });
    const printed = [
      { config: { protocol_version: "v1.0.0", scanner_name: "govulncheck" } },
      {
        osv: {
          id: "GO-2021-0113",
          summary: 'Out of "bounds" } {',
          aliases: ["CVE-2021-38561"],
          database_specific: { url: "https://pkg.go.dev/vuln/GO-2021-0113" },
        },
      },
      finding(at),
      finding({ ...at, package: "golang.org/x/text/language", function: "Parse" }),
      finding({ ...at, package: "golang.org/x/text/language" }),
    ];

    expect(go.vulnerable.read(printed.map(json).join("\n"))).toEqual({
      found: [
        {
          name: "golang.org/x/text",
          version: "v0.3.0",
          advisory: "GO-2021-0113",
          title: 'Out of "bounds" } {',
          severity: undefined,
          mendedIn: "v0.3.7",
          address: "https://pkg.go.dev/vuln/GO-2021-0113",
          more: ["code of ours calls it", "CVE-2021-38561"],
        },
      ],
    });
  });
});

const REFUSED = [
  '{"error":{"code":"ENOLOCK","summary":"s"}}',
  '{"message":"x","error":{}}',
  "<html>",
  "null",
  "[1]",
  "{",
  "}",
  "sh: not found",
];

it.each(Object.entries(dependencyTools))("takes nothing of %s for an answer that is none", (_, tool) => {
  for (const printed of REFUSED)
    expect([printed, tool.outdated.read(printed), tool.vulnerable.read(printed)]).toEqual([printed, undefined, undefined]);
});

it.each(Object.entries(dependencyTools))("leads for %s to the version itself, whatever its name is", (_, tool) => {
  const address = new URL(tool.address("@scope/a?b#c d/../../x", "1.0.0+1"));

  expect([address.protocol, address.search, address.hash]).toEqual(["https:", "", ""]);
  expect(tool.address("@scope/name", "1.2.3")).toMatch(/@scope\/name.*1\.2\.3\/?$/);
});
