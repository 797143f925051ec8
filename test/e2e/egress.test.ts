// The way out of a box as a loop has it: which hosts its maker reaches, with what, and what is on record of it.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeBoxed } from "../support/box.ts";
import { inPlace, type Place } from "../support/lw.ts";
import { describeWith } from "../support/programs.ts";

const SECRET = "s3cret-of-the-model-1234567890";
const heard: IncomingHttpHeaders[] = [];
const server = createServer((asked, answer) => {
  heard.push(asked.headers);
  answer.end("right\n");
});
let port = 0;
beforeAll(async () => {
  port = await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)));
});
afterAll(() => server.close());

const specOf = (place: Place, maker: string, about: object = {}): string =>
  place.write(
    "fix.loop.json",
    JSON.stringify({
      name: "fix",
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "shell", with: { run: maker, inherit: ["MODEL_KEY"] } },
      verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
      baseline: { when: "off" },
      budget: { rounds: 1 },
      box: {
        maker: {
          when: "required",
          network: {
            credentials: [{ to: `http://127.0.0.1:${port}`, header: "x-api-key", variable: "MODEL_KEY", baseUrls: { MODEL_URL: "/v1" } }],
          },
        },
      },
      ...about,
    }),
  );

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    return work(place);
  });

const recordsOf = async (place: Place) =>
  (await place.json(["show", "fix", "--records"])).said.records.map(({ record }: { readonly record: { readonly kind: string } }) => record);

describeBoxed("with a box", () =>
  describeWith("curl", "a loop whose maker may reach a list of hosts", () => {
    it("lets it ask its model with a key that it does not have, refuses others, and writes both down", () =>
      inShop(async (place) => {
        const maker = `curl -sf "$MODEL_URL/x" > value.txt; curl -s -o /dev/null http://evil.test/; test "$MODEL_KEY" = put-in-by-the-proxy || echo "$MODEL_KEY" > value.txt`;

        const { exit, said } = await place.json(["run", specOf(place, maker)], { env: { MODEL_KEY: SECRET } });
        const shown = await place.lw(["show", "fix"]);
        const records = await recordsOf(place);

        expect([exit, heard[0]?.["x-api-key"]]).toEqual([0, SECRET]);
        expect(said.rounds[0].evidence.proposal.box).toMatchObject({ network: "listed", reaches: [`127.0.0.1:${port}`] });
        expect(shown.stdout).toContain(`network only to 127.0.0.1:${port}`);
        expect(shown.stdout).toMatch(
          /network {3}127\.0\.0\.1:\d+ 1 time\(s\), 0 bytes sent, 6 received\n {2}network {3}evil\.test:80 refused 1 time/,
        );
        expect(records.find(({ kind }: { readonly kind: string }) => kind === "maker-reached")).toMatchObject({
          egress: {
            connections: 2,
            hosts: [
              { host: "127.0.0.1", port, allowed: 1, refused: 0 },
              { host: "evil.test", port: 80, allowed: 0, refused: 1 },
            ],
          },
        });
        expect(JSON.stringify(records)).not.toContain(SECRET);
      }));

    it("says before anything is spent that a key is missing", () =>
      inShop(async (place) => {
        const { exit, stderr } = await place.lw(["run", specOf(place, "true")]);

        expect(exit).toBe(64);
        expect(stderr).toContain("the variable MODEL_KEY");
      }));
  }),
);

it.each([
  ["a host that is none", { allow: ["https://a.example"] }],
  ["all hosts of a country", { allow: ["*.com"] }],
  ["a key that goes out unencrypted", { credentials: [{ to: "http://api.example.com", header: "x-api-key", variable: "KEY" }] }],
])("refuses a spec that lists %s", (_, network) =>
  inShop(async (place) => {
    const { exit, stdout, stderr } = await place.lw(["validate", specOf(place, "true", { box: { maker: { network } } })]);

    expect([exit, /box\.maker\.network/.test(stdout + stderr)]).toEqual([64, true]);
  }),
);
