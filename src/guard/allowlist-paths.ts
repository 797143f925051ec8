// What no loop changes alone unless its spec names the entry: paths by their words and globs, and kinds of files.
import type { DeniedName } from "../contract/allowlist.ts";
import { LOCK_FILES } from "../std/dependency-files.ts";

/** One entry of the list that is always in force. Its examples are its tests. */
export interface DeniedPaths {
  readonly name: DeniedName;
  readonly why: string;
  /** Words that no folder or file on the way may have in its name: `AuthService.ts` has the words auth and service. */
  readonly words: readonly string[];
  readonly globs: readonly string[];
  readonly examples: { readonly denied: readonly string[]; readonly free: readonly string[] };
}

export const DENIED_PATHS: readonly DeniedPaths[] = [
  {
    name: "auth",
    why: "decides who may do what",
    words: [
      ..."auth authn authz authentication authenticate authenticator authorization authorize authorizer oauth oauth2 oidc saml sso".split(
        " ",
      ),
      ..."login logins logout signin signup session sessions jwt permission permissions privilege privileges rbac acl acls iam".split(" "),
      ..."password passwords passwd credential credentials mfa totp otp csrf cors crypto cryptography".split(" "),
    ],
    globs: [],
    examples: {
      denied: [
        "src/auth/login.py",
        "src/Auth/x.ts",
        "src/AuthService.java",
        "lib/oauth/index.ts",
        "app/user_session.rb",
        "src/AUTHGuard.ts",
      ],
      free: ["docs/author.md", "src/authority.ts", "src/unauthored.ts", "src/cors2x.ts"],
    },
  },
  {
    name: "payments",
    why: "moves money",
    words:
      "payment payments pay billing invoice invoices invoicing checkout refund refunds payout payouts stripe paypal adyen braintree".split(
        " ",
      ),
    globs: [],
    examples: { denied: ["src/payments/a.ts", "src/BillingJob.cs", "app/stripe_client.py"], free: ["src/payload.ts", "src/paint.ts"] },
  },
  {
    name: "secrets",
    why: "holds, or is named like, what must not be told",
    words: "secret secrets token tokens apikey apikeys keystore truststore vault kms".split(" "),
    globs: [
      "**/{.env,.env.*,*.env,.envrc,.netrc,_netrc,.pgpass,.htpasswd,.npmrc,.pypirc,.dockercfg}",
      "**/*.{pem,key,p12,pfx,jks,keystore,kdbx,asc,gpg,ppk,crt,cer,der}",
      "**/{id_rsa,id_dsa,id_ecdsa,id_ed25519}*",
      "**/{.aws,.ssh,.gnupg,.kube,.docker}/**",
    ],
    examples: {
      denied: [".env", ".env.local", "prod.env", "config/secrets.yml", "certs/server.PEM", "deploy/id_rsa.pub", "src/apiToken.ts"],
      free: ["src/environment.ts", "docs/keyboard.md", "src/tokenizer.ts"],
    },
  },
  {
    name: "migrations",
    why: "changes stored data, which no revert brings back",
    words: "migration migrations migrate migrator alembic flyway liquibase".split(" "),
    globs: ["**/{schema,structure}.{sql,rb,prisma}", "**/db/**/*.sql", "**/*.sql"],
    examples: { denied: ["db/migrations/001.py", "src/UserMigration.ts", "prisma/schema.prisma", "x.sql"], free: ["docs/migrants.md"] },
  },
  {
    name: "ci",
    why: "decides how and by whom changes are checked",
    words: "jenkinsfile codeowners".split(" "),
    globs: [
      ".{github,gitea,forgejo,circleci,buildkite,semaphore,teamcity,harness,husky,githooks,ci}/**",
      "{ci,.builds,.tekton,bamboo-specs,.azure-pipelines}/**",
      ".gitlab-ci*",
      ".gitlab/**",
      "**/{CODEOWNERS,Jenkinsfile*,.travis.yml,.drone.yml,.cirrus.yml,bitbucket-pipelines*,azure-pipelines*,cloudbuild.*,buildspec.*}",
      "**/{appveyor.yml,.appveyor.yml,.woodpecker*,codecov.*,.codecov.*,.pre-commit-config.*,lefthook.*,.lefthook.*,renovate.json*,.renovaterc*}",
      "**/{dependabot.yml,Earthfile,sonar-project.properties}",
    ],
    examples: {
      denied: [
        ".github/workflows/ci.yml",
        ".GitHub/workflows/ci.yml",
        ".gitlab-ci.yml",
        "sub/Jenkinsfile",
        ".husky/pre-commit",
        "docs/CODEOWNERS",
      ],
      free: ["src/city.py", "docs/github.md"],
    },
  },
  {
    name: "infrastructure",
    why: "decides what runs in production",
    words:
      "terraform kubernetes k8s helm ansible pulumi cloudformation dockerfile containerfile deploy deployment deployments infra infrastructure nginx".split(
        " ",
      ),
    globs: [
      "**/*.{tf,tfvars,tfstate,hcl,bicep,nomad}",
      "**/{Dockerfile*,Containerfile*,docker-compose*,compose.yml,compose.yaml,.dockerignore,Vagrantfile,Procfile,fly.toml,render.yaml,vercel.json}",
      "**/{netlify.toml,wrangler.toml,serverless.*,app.yaml,Chart.yaml,skaffold.yaml,kustomization.yaml,nginx.conf,Caddyfile,*.service}",
      "**/{charts,manifests}/**",
    ],
    examples: {
      denied: [
        "main.tf",
        "Dockerfile",
        "docker/Dockerfile.prod",
        "docker-compose.yml",
        "infra/x.ts",
        "deploy/run.sh",
        "charts/app/values.yaml",
      ],
      free: ["src/helmet.ts", "docs/docker.md"],
    },
  },
  {
    name: "licences",
    why: "says who may use this, which only its owners decide",
    words: "license licence licenses licences copying copyright notice notices patents".split(" "),
    globs: [],
    examples: { denied: ["LICENSE", "docs/licence.txt", "Copying.LESSER", "NOTICE.md"], free: ["src/silence.ts", "docs/noticed.md"] },
  },
  {
    name: "lock-files",
    why: "decides which code of others is installed",
    words: [],
    globs: [
      ...LOCK_FILES,
      "**/{Cargo.lock,go.sum,flake.lock,packages.lock.json,gradle.lockfile,Package.resolved,Podfile.lock,Cartfile.resolved}",
      "**/{pixi.lock,conda-lock.yml,rebar.lock,stack.yaml.lock,go.work.sum,cabal.project.freeze}",
    ],
    examples: { denied: ["package-lock.json", "sub/Cargo.lock", "YARN.lock"], free: ["src/lock.ts", "docs/package.md"] },
  },
  {
    name: "dependencies",
    why: "decides which code of others is installed, and which scripts run with it",
    words: [],
    globs: [
      "**/{package.json,pnpm-workspace.yaml,bunfig.toml,deno.json,deno.jsonc,pyproject.toml,setup.py,setup.cfg,Pipfile,environment.yml}",
      "**/{Cargo.toml,go.mod,go.work,Gemfile,*.gemspec,composer.json,mix.exs,pom.xml,build.gradle*,settings.gradle*,*.csproj,*.fsproj}",
      "**/{Package.swift,pubspec.yaml,Podfile,*.cabal,Makefile,GNUmakefile,justfile,Taskfile.*,Rakefile,CMakeLists.txt,.yarnrc*,.pnpmfile.cjs}",
    ],
    examples: { denied: ["package.json", "web/package.json", "Cargo.toml", "makefile"], free: ["src/package.ts"] },
  },
  {
    name: "loop",
    why: "belongs to the loop, which may not decide about itself",
    words: [],
    globs: ["**/*.loop.{yaml,yml,json}", ".loopwright/**", "loops/**", "**/loopwright*.{yaml,yml,json}"],
    examples: { denied: ["fix.loop.yaml", "ops/fix.loop.json", ".loopwright/policy.yaml", "loops/a.md"], free: ["src/loop.ts"] },
  },
  {
    name: "agents",
    why: "is what agents read as their instructions or settings",
    words: [],
    globs: [
      "**/{AGENTS.md,CLAUDE.md,GEMINI.md,QWEN.md,SKILL.md,.cursorrules,.windsurfrules,.clinerules,.mcp.json,mcp.json,.aider*}",
      "**/.{claude,codex,cursor,gemini,opencode,agents,windsurf,continue,roo,kiro}/**",
      "**/{copilot-instructions.md,.worktreeinclude}",
    ],
    examples: { denied: ["AGENTS.md", "sub/claude.md", ".claude/settings.json", ".mcp.json"], free: ["docs/agents/how.md"] },
  },
  {
    name: "git",
    why: "tells git and editors what to hide, to filter or to run",
    words: [],
    globs: ["**/{.gitattributes,.gitmodules,.gitignore,.gitconfig,.mailmap,.git-blame-ignore-revs}", "**/.{vscode,idea,devcontainer}/**"],
    examples: { denied: [".gitattributes", "sub/.gitmodules", ".vscode/tasks.json"], free: ["docs/git.md"] },
  },
];

/** Kinds of files that nobody can read line by line: closed too, until a spec names them. */
export const DENIED_KINDS: readonly { readonly name: DeniedName; readonly why: string }[] = [
  { name: "links", why: "a link makes one path stand for another" },
  { name: "submodules", why: "a submodule brings in code that is not in the change" },
  { name: "binaries", why: "what is no text cannot be read as a change" },
  { name: "modes", why: "a mode makes a file run, or be something else" },
];
