// Sends the text as a plain mail.
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import { defineNotifier } from "../contract/notifier.ts";
import { VariableName } from "../contract/spec.ts";

const address = z.string().regex(/^[^\s<>"\0-\x1f]+@[^\s<>"\0-\x1f]+$/, { error: "must be a mail address" });

const Options = z.strictObject({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, { error: "must be the name of a server" })
    .meta({ description: "The mail server.", examples: ["smtp.example.com"] }),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .default(465)
    .meta({ description: "Its port.", examples: [587] }),
  security: z
    .enum(["tls", "starttls", "none"])
    .default("tls")
    .meta({ description: "How the way there is kept from others; `none` only to this machine.", examples: ["starttls"] }),
  from: address.meta({ description: "Who it is from.", examples: ["loops@example.com"] }),
  to: z
    .array(address)
    .min(1)
    .max(20)
    .meta({ description: "Who gets it.", examples: [["team@example.com"]] }),
  user: VariableName.optional().meta({ description: "The variable that holds the login name.", examples: ["SMTP_USER"] }),
  password: VariableName.optional().meta({ description: "The variable that holds the password.", examples: ["SMTP_PASSWORD"] }),
});

export const smtp = defineNotifier({
  name: "smtp",
  summary: "Sends the text as a plain mail, over TLS.",
  options: Options,
  async tell({ loop, report }, { host, port, security, from, to, user, password }, { mail, env }) {
    const login =
      user !== undefined && password !== undefined ? { user: env.get(user) ?? "", password: env.get(password) ?? "" } : undefined;
    if (login && (login.user === "" || login.password === "")) throw notTold(`${user} or ${password} is not set`);
    if (security === "none" && !["localhost", "127.0.0.1"].includes(host)) throw notTold("a mail to another machine needs tls or starttls");
    await mail.send({
      host,
      port,
      security,
      from,
      to,
      subject: `loopwright: ${loop} needs you`,
      text: report,
      ...(login ? { login } : {}),
    });
  },
});

const notTold = (why: string): LoopError =>
  new LoopError("notify-failed", `nobody was told: ${why}`, { retry: "never", hint: "Correct the `smtp` notifier in the spec." });
