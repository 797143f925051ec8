// The dashboard over real HTTP, on a home that the built program filled, with real git.
import { webcrypto } from "node:crypto";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { ADA, mainOf, withProposal } from "../support/decisions.ts";
import { type ServedHome, serveHome } from "../support/serve-home.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
type Said = any;
const json = async (response: Promise<Response>): Promise<Said> => (await response).json();

async function serving<T>(home: string, work: (at: ServedHome) => Promise<T>): Promise<T> {
  const at = await serveHome(home);
  try {
    return await work(at);
  } finally {
    await at.close();
  }
}

it("is opened by the printed link, shows what waits, and moves main by a yes to the tree that was shown", () =>
  withProposal((place, { run, base, branch }) =>
    serving(place.home, async (at) => {
      const opened = await place.json(["open"]);
      const printed = await place.lw(["open", "--print"]);
      const blocked = await place.json(["open"], { env: { LOOPWRIGHT_MARK: "fix-1" } });
      const session = await fetch(`${at.url}/api/session`, {
        method: "POST",
        headers: { origin: at.url, "content-type": "application/json" },
        body: JSON.stringify({ token: new URL(opened.said.link).hash.slice("#token=".length) }),
      });
      const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
      const inbox = await json(fetch(`${at.url}/api/inbox`, { headers: { cookie, "x-lw-page": session.headers.get("x-lw-page") ?? "" } }));
      const card = inbox.items[0];
      const plan = await json(at.get(`/api/runs/${run}/rehearsal`));
      const diff = await (await at.get(`/api/runs/${run}/diff`)).text();
      const before = mainOf(place);
      const yes = await json(at.post(`/api/runs/${run}/decision`, { decision: "approve", tree: card.tree, why: "read it" }));
      const shown = await place.json(["show", run]);

      expect([printed.exit, printed.stdout, blocked.exit]).toEqual([0, `${at.link}\n`, 2]);
      expect([opened.exit, session.status, card.id, card.stage]).toEqual([0, 200, run, "open"]);
      expect(plan).toMatchObject({ barred: null, actions: [{ action: "merge" }] });
      expect(plan.actions[0].says).toMatch(/^move main to /);
      expect(diff).toContain("+right");
      expect([before, yes.stage, yes.now]).toEqual([base, "acted", null]);
      expect(mainOf(place)).toBe(place.repo.git("rev-parse", branch));
      expect(shown.said.proposal.approvals[0]).toMatchObject({ by: "ada", why: "read it" });
    }),
  ));

it("refuses a tree that was amended meanwhile, and moves the one that was seen onto a base that moved", () =>
  withProposal((place, { run, base, branch }) =>
    serving(place.home, async (at) => {
      const [card] = (await json(at.get("/api/inbox"))).items;
      const work = `${place.dir}/review`;
      place.repo.git("worktree", "add", "--quiet", work, branch);
      place.write("review/docs/value.txt", "right\n\nmore\n");
      place.repo.git("-C", work, "commit", "--quiet", "-am", "a reviewer's");
      place.repo.git("worktree", "remove", work);

      const pushed = await at.post(`/api/runs/${run}/decision`, { decision: "approve", tree: card.tree });
      const amended = await json(at.post(`/api/runs/${run}/decision`, { decision: "amend", tree: card.tree, why: "mine" }));
      const late = await at.post(`/api/runs/${run}/decision`, { decision: "approve", tree: card.tree });
      const refusal = (await late.json()) as Said;
      const tree = place.repo.git("rev-parse", "main^{tree}");
      const human = place.repo.git("commit-tree", tree, "-p", base, "-m", "a human's");
      place.repo.git("update-ref", "refs/heads/main", human);
      const yes = await json(at.post(`/api/runs/${run}/decision`, { decision: "approve", tree: amended.now.tree }));

      expect([pushed.status, late.status]).toEqual([409, 409]);
      expect(refusal.now.tree).toBe(amended.now.tree);
      expect(refusal.error.message).toContain("what is proposed now is the tree");
      expect([yes.stage, yes.says.split(":")[0]]).toEqual(["acted", "Approved, verified again and done"]);
      // People's own commits stay as they are, brought together with the new base.
      expect(place.repo.git("log", "--format=%s", "main", "--").split("\n")).toEqual(expect.arrayContaining(["a human's", "a reviewer's"]));
      expect([mainOf(place) === human, place.repo.git("show", "main:docs/value.txt")]).toEqual([false, "right\n\nmore"]);
    }),
  ));

it("hears one of two who decide at the same time, in the browser and in a terminal", () =>
  withProposal((place, { run, base }) =>
    serving(place.home, async (at) => {
      const [card] = (await json(at.get("/api/inbox"))).items;

      const [page, other, terminal] = await Promise.all([
        at.post(`/api/runs/${run}/decision`, { decision: "approve", tree: card.tree }),
        at.post(`/api/runs/${run}/decision`, { decision: "approve", tree: card.tree }),
        place.json(["approve", run, ...ADA]),
      ]);

      expect([page.status, other.status].every((status) => status === 200 || status === 409)).toBe(true);
      expect([0, 9, 64, 75]).toContain(terminal.exit);
      expect(place.repo.git("reflog", "show", "main").split("\n")).toHaveLength(2);
      expect(mainOf(place)).not.toBe(base);
    }),
  ));

it("gives a receipt that a browser can verify by itself", () =>
  withProposal((place, { run }) =>
    serving(place.home, async (at) => {
      const { envelope, keys, journal } = await json(at.get(`/api/runs/${run}/receipt`));
      const { payloadType, payload, signatures } = JSON.parse(envelope);
      const bytes = Buffer.from(payload, "base64");
      const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes]);
      const [{ keyid, sig }] = signatures;
      const raw = keys.find((key: Said) => key.keyid === keyid).raw;
      const key = await webcrypto.subtle.importKey("raw", Buffer.from(raw, "base64"), { name: "Ed25519" }, false, ["verify"]);

      expect(await webcrypto.subtle.verify({ name: "Ed25519" }, key, Buffer.from(sig, "base64"), signed)).toBe(true);
      expect(await webcrypto.subtle.verify({ name: "Ed25519" }, key, Buffer.from(sig, "base64"), Buffer.concat([signed, bytes]))).toBe(
        false,
      );
      expect(JSON.parse(bytes.toString("utf8")).predicate.journal.head).toBe(journal.hash);
    }),
  ));

it("goes on after a restart with the record that the page saw last, and misses none", () =>
  withProposal(async (place, { run }) => {
    const seen: number[] = [];
    const listen = async (at: ServedHome, after: number, upTo: () => number): Promise<void> => {
      const response = await at.get("/api/events", after > 0 ? { "last-event-id": String(after) } : {});
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) {
        for (const [, id] of decoder.decode(piece).matchAll(/^id: (\d+)$/gm)) seen.push(Number(id));
        if ((seen.at(-1) ?? after) >= upTo()) break;
      }
    };
    const head = async (at: ServedHome): Promise<number> => (await json(at.get("/api/health"))).journal.seq;
    const first = await serving(place.home, async (at) => {
      const start = await head(at);
      let end = Number.POSITIVE_INFINITY;
      const heard = listen(at, start, () => end);
      await place.json(["defer", run, "--for", "1h", ...ADA]);
      end = await head(at);
      await place.json(["pause", "fix", ...ADA]);
      await heard;
      return start;
    });
    await place.json(["resume", "fix", ...ADA]);
    await place.json(["pause", "fix", ...ADA]);
    await serving(place.home, async (at) => {
      const end = await head(at);
      await listen(at, seen.at(-1) ?? 0, () => end);
      expect(seen).toEqual(Array.from({ length: end - first }, (_, index) => first + 1 + index));
    });
  }));

it("refuses whoever has no token, comes from elsewhere or sends too much, and nothing moves", () =>
  withProposal((place, { run, base }) =>
    serving(place.home, async (at) => {
      const before = (await json(at.get("/api/health"))).journal.seq;
      const approve = { decision: "approve", tree: (await json(at.get("/api/inbox"))).items[0].tree };
      const port = Number(new URL(at.url).port);
      const raw = (text: string): Promise<string> =>
        new Promise((resolve) => {
          let heard = "";
          const socket = connect(port, "127.0.0.1", () => void socket.write(text));
          socket.on("data", (bytes) => {
            heard += bytes;
            socket.end();
          });
          socket.on("error", () => {});
          socket.on("close", () => resolve(heard));
        });

      expect((await fetch(`${at.url}/api/inbox`)).status).toBe(401);
      expect((await at.post(`/api/runs/${run}/decision`, approve, { origin: "https://evil.example.org" })).status).toBe(403);
      expect((await at.post(`/api/runs/${run}/decision`, approve, { cookie: "" })).status).toBe(401);
      expect((await at.post(`/api/runs/${run}/decision`, { ...approve, why: "x".repeat(100_000) })).status).toBe(413);
      expect(await raw("GET /api/inbox HTTP/1.1\r\nHost: rebound.example.org\r\n\r\n")).toMatch(/^HTTP\/1.1 421/);
      expect(await raw("GET /api/inbox HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: nonsense\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
      expect((await json(at.get("/api/health"))).journal.seq).toBe(before);
      expect(mainOf(place)).toBe(base);
    }),
  ));

it("is said not to be there by `lw open` where nothing serves it", () =>
  withProposal(async (place) => {
    const { exit, said } = await place.json(["open"]);

    expect([exit, said.error.message]).toEqual([64, `nothing serves the dashboard of ${place.home}`]);
  }));
