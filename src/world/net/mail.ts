// Sends one plain mail by SMTP (RFC 5321), over TLS from the start or after STARTTLS.
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { LoopError } from "../../contract/errors.ts";
import type { Letter, Mail } from "../../contract/net.ts";

const TIMEOUT_MS = 30_000;
const MOST_REPLY = 64 * 1024;

/** One line at a time to the server, and its whole reply back. */
interface Line {
  readonly ask: (command: string | undefined, wanted: number) => Promise<string>;
  readonly socket: Socket;
}

export const mail: Mail = {
  async send(letter) {
    const { host, port, security, login, from, to } = letter;
    const plain = security === "tls" ? connectTls({ host, port, servername: host }) : connect({ host, port });
    try {
      let line = talkOver(plain);
      await line.ask(undefined, 220);
      await line.ask("EHLO loopwright", 250);
      if (security === "starttls") {
        await line.ask("STARTTLS", 220);
        line = talkOver(connectTls({ socket: plain, servername: host }));
        await line.ask("EHLO loopwright", 250);
      }
      if (login) await line.ask(`AUTH PLAIN ${Buffer.from(`\0${login.user}\0${login.password}`).toString("base64")}`, 235);
      await line.ask(`MAIL FROM:<${from}>`, 250);
      for (const one of to) await line.ask(`RCPT TO:<${one}>`, 250);
      await line.ask("DATA", 354);
      await line.ask(`${textOf(letter)}\r\n.`, 250);
      line.socket.end("QUIT\r\n");
    } catch (cause) {
      throw new LoopError("notify-failed", `the mail was not sent by ${host}: ${cause instanceof Error ? cause.message : String(cause)}`, {
        retry: "later",
        hint: "Look at host, port, security and login of the `smtp` notifier.",
        cause,
      });
    } finally {
      plain.destroySoon();
    }
  },
};

function talkOver(socket: Socket): Line {
  let heard = "";
  let failed: Error | undefined;
  let wake: () => void = () => {};
  const fail = (error: Error): void => {
    failed ??= error;
    wake();
  };
  socket.setTimeout(TIMEOUT_MS, () => fail(new Error("the server took too long")));
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
    if (heard.length > MOST_REPLY) fail(new Error("the server said too much"));
    wake();
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the server hung up")));
  return {
    socket,
    async ask(command, wanted) {
      if (command !== undefined) socket.write(`${command}\r\n`);
      for (;;) {
        const whole = /^(?:\d{3}-[^\n]*\n)*(\d{3}) [^\n]*\n/.exec(heard);
        if (whole) {
          heard = heard.slice(whole[0].length);
          if (Number(whole[1]) !== wanted) throw new Error(whole[0].trim().slice(0, 300));
          return whole[0];
        }
        if (failed) throw failed;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Lines end as the protocol wants it, a lone dot does not end the mail, and nothing in it becomes a header. */
function textOf({ from, to, subject, text }: Letter): string {
  const encoded = `=?UTF-8?B?${Buffer.from(subject.replace(/[\r\n]+/g, " ").slice(0, 200)).toString("base64")}?=`;
  const body = Buffer.from(text).toString("base64").replace(/.{76}/g, "$&\r\n");
  return [
    `From: <${from}>`,
    `To: ${to.map((one) => `<${one}>`).join(", ")}`,
    `Subject: ${encoded}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    body,
  ].join("\r\n");
}
