// Which calls reach the network by what they are for. What a program of the project does by itself cannot be told from its name.
import type { Call } from "./call.ts";

const ALWAYS = new Set(
  "curl wget fetch aria2c axel http https xh lynx w3m links elinks nc ncat netcat socat telnet ftp tftp sftp scp ssh rsync rclone dig nslookup host whois ping traceroute mtr gh glab hub gsutil gcloud aws az s3cmd mc kubectl helm terraform doctl flyctl vercel netlify heroku iwr irm invoke-webrequest invoke-restmethod mail mailx sendmail mutt smtp-cli websocat ngrok cloudflared docker podman brew apt apt-get aptitude yum dnf apk pacman snap".split(
    " ",
  ),
);

/** Programs that reach it for some of their commands. */
const SOMETIMES: { readonly [program: string]: RegExp } = {
  git: /^(?:push|fetch|pull|clone|ls-remote|remote|submodule|send-email|archive|lfs)$/,
  npm: /^(?:i|in|install|add|ci|update|up|upgrade|publish|view|info|search|audit|exec|x|init|create|login|whoami|dist-tag|outdated)$/,
  npx: /./,
  bunx: /./,
  uvx: /./,
  pipx: /./,
  pnpm: /^(?:i|install|add|update|up|publish|dlx|audit|fetch|create|outdated)$/,
  yarn: /^(?:install|add|up|upgrade|dlx|npm|publish|audit|create)$/,
  bun: /^(?:install|i|add|update|x|publish|create)$/,
  pip: /^(?:install|download|search|index|wheel)$/,
  pip3: /^(?:install|download|search|index|wheel)$/,
  uv: /^(?:add|sync|pip|tool|publish|lock)$/,
  poetry: /^(?:install|add|update|publish|lock)$/,
  cargo: /^(?:install|publish|search|fetch|update|add|login)$/,
  go: /^(?:get|install|mod)$/,
  gem: /^(?:install|push|update|fetch|search)$/,
  bundle: /^(?:install|update|add)$/,
  composer: /^(?:install|update|require|create-project)$/,
  mvn: /^(?:deploy|dependency:.*)$/,
  openssl: /^s_client$/,
};

export function reachesNetwork({ program, args, redirects }: Call): boolean {
  const name = program.toLowerCase();
  if (ALWAYS.has(name) || redirects.some(({ target }) => /^\/dev\/(?:tcp|udp)\//.test(target.text))) return true;
  const verbs = SOMETIMES[name];
  if (!verbs) return false;
  const words = args.map(({ text }) => text).filter((text) => !text.startsWith("-"));
  // `git -C folder fetch`: the folder is the first word.
  const at =
    name === "git" && args.some(({ text }) => /^(?:-C|-c|--git-dir|--work-tree)$/.test(text)) ? words.slice(0, 4) : words.slice(0, 1);
  return at.some((word) => verbs.test(word));
}
