// The built `lw serve` with a certificate of its own, and everything that keeps it from being served without one.

import { get as getPlainly } from "node:http";
import { get, type RequestOptions, request } from "node:https";
import { expect, it } from "vitest";
import { selfSigned } from "../support/local-sigstore.ts";
import { inPlace, type Place } from "../support/lw.ts";

interface Heard {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
}

const ask = (url: string, options: RequestOptions, body?: string, enough: (text: string) => boolean = () => false): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, ...options }, (response) => {
      let text = "";
      const done = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        if (!enough(text)) return;
        done();
        asked.destroy();
      });
      response.on("end", done);
      response.on("error", () => {});
    });
    asked.on("error", reject);
    asked.end(body);
  });

async function untilServed(place: Place): Promise<{ readonly url: string; readonly link: string }> {
  for (;;) {
    const { exit, said } = await place.json(["open"]);
    if (exit === 0) return said;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it("is served with the certificate that was given: page, session, live updates, and nothing in the clear", () =>
  inPlace(async (place) => {
    const { cert, key } = selfSigned();
    const [certFile, keyFile] = [place.write("cert.pem", cert), place.write("key.pem", key)];
    place.write("home/machine.yaml", "listen: { port: 0 }\n");
    const daemon = place.start(["serve", "--as", "ada", "--listen", "127.0.0.1:0", "--tls-cert", certFile, "--tls-key", keyFile]);
    const { url, link } = await untilServed(place);
    const token = new URL(link).hash.slice("#token=".length);

    const page = await ask(url, { ca: cert });
    const session = await ask(
      `${url}/api/session`,
      { ca: cert, method: "POST", headers: { origin: url, "content-type": "application/json" } },
      JSON.stringify({ token }),
    );
    const cookie = String(session.headers["set-cookie"]).split(";")[0] ?? "";
    const mine = { cookie, "x-lw-page": String(session.headers["x-lw-page"]) };
    const health = await ask(`${url}/api/health`, { ca: cert, headers: mine });
    const live = await ask(`${url}/api/events`, { ca: cert, headers: mine }, undefined, (text) => text.includes("event: beat"));
    const stranger = await new Promise<string>((resolve) => {
      get(url, { agent: false }, () => resolve("answered")).on("error", (error) => resolve(String("code" in error && error.code)));
    });
    const plain = await new Promise<string>((resolve) => {
      getPlainly(url.replace("https:", "http:"), { agent: false }, ({ statusCode }) => resolve(`answered ${statusCode}`)).on("error", () =>
        resolve("refused"),
      );
    });
    daemon.signal("SIGTERM");

    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect([page.status, page.text.includes("<title>")]).toEqual([200, true]);
    expect(String(session.headers["set-cookie"])).toMatch(/HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
    expect([health.status, live.status, live.text.includes("event: beat")]).toEqual([200, 200, true]);
    expect([stranger, plain]).toEqual(["DEPTH_ZERO_SELF_SIGNED_CERT", "refused"]);
    expect((await daemon.ended).exit).toBe(0);
  }));

it("does not start where others could listen in, and says what to give", () =>
  inPlace(async (place) => {
    const { cert, key } = selfSigned();
    const [certFile, keyFile] = [place.write("cert.pem", cert), place.write("key.pem", key)];
    const other = place.write("other.pem", selfSigned().key);
    const serve = async (...words: readonly string[]) => {
      const { exit, stderr } = await place.lw(["serve", "--as", "ada", ...words]);
      return [exit, stderr.split("\n")[0]];
    };

    expect(await serve("--listen", "10.0.0.1:7605")).toEqual([64, expect.stringContaining("10.0.0.1 can be reached by others")]);
    expect(await serve("--listen", "0.0.0.0:7605", "--tls-cert", certFile, "--tls-key", keyFile)).toEqual([
      64,
      expect.stringContaining("0.0.0.0 is every address and no name"),
    ]);
    expect(await serve("--listen", "10.0.0.1:7605", "--tls-cert", certFile)).toEqual([64, expect.stringContaining("without its key")]);
    expect(await serve("--listen", "127.0.0.1:0", "--tls-cert", certFile, "--tls-key", place.dir)).toEqual([
      64,
      expect.stringContaining("cannot be read"),
    ]);
    expect(await serve("--behind-proxy", "http://loops.example.org")).toEqual([64, expect.stringContaining("--behind-proxy")]);
    const [exit, says] = await serve("--listen", "127.0.0.1:0", "--tls-cert", certFile, "--tls-key", other);
    expect([exit === 0, String(says)]).toEqual([false, expect.stringContaining("certificate")]);
  }));
