import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { mail } from "./mail.ts";

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).map((close) => close()));

/** A mail server on this machine that answers each line from a list of its own, and keeps what it heard. */
async function serve(answer: (line: string) => string | undefined) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    let rest = "";
    let isMail = false;
    socket.on("error", () => {});
    socket.write("220 here\r\n");
    socket.on("data", (chunk) => {
      rest += chunk.toString("utf8");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        heard.push(line);
        if (isMail && line !== ".") continue;
        isMail = line === "DATA";
        socket.write(
          `${answer(line) ?? (line === "DATA" ? "354 go on" : line.startsWith("AUTH") ? "235 ok" : line === "EHLO loopwright" ? "250-here\r\n250 AUTH PLAIN" : "250 ok")}\r\n`,
        );
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closing.push(() => server.close());
  return { heard, port: (server.address() as AddressInfo).port };
}

const LETTER = {
  host: "127.0.0.1",
  security: "none",
  from: "a@x.test",
  to: ["b@x.test", "c@x.test"],
  subject: "hi\r\nBcc: evil@x.test",
  text: "one\n.\ntwo ü\n",
} as const;

it("speaks the protocol, logs in, and lets neither subject nor text become a command", async () => {
  const { heard, port } = await serve(() => undefined);

  await mail.send({ ...LETTER, port, login: { user: "u", password: "p" } });

  expect(heard.slice(0, 6)).toEqual([
    "EHLO loopwright",
    `AUTH PLAIN ${Buffer.from("\0u\0p").toString("base64")}`,
    "MAIL FROM:<a@x.test>",
    "RCPT TO:<b@x.test>",
    "RCPT TO:<c@x.test>",
    "DATA",
  ]);
  expect(heard.filter((line) => line.startsWith("Bcc"))).toEqual([]);
  const body = heard.slice(heard.indexOf("") + 1, heard.indexOf(".")).join("");
  expect(Buffer.from(body, "base64").toString("utf8")).toBe(LETTER.text);
});

it("says what the server said when it refuses, and that it hung up when it does", async () => {
  const refusing = await serve((line) => (line.startsWith("RCPT") ? "550 no such user" : undefined));

  await expect(mail.send({ ...LETTER, port: refusing.port })).rejects.toMatchObject({
    code: "notify-failed",
    message: "the mail was not sent by 127.0.0.1: 550 no such user",
  });
  await expect(mail.send({ ...LETTER, port: 1 })).rejects.toMatchObject({ code: "notify-failed" });
});
