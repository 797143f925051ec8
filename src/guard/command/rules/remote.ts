// Rules about things elsewhere that others depend on.
import type { Call } from "../call.ts";
import type { CommandRule } from "../rule.ts";

const family = "infrastructure";

/** Programs that steer things elsewhere: clouds, clusters, hosts, forges, queues, back-ups, CI. */
const STEERING = [
  ...[
    "aws",
    "gcloud",
    "gsutil",
    "az",
    "azcopy",
    "doctl",
    "linode-cli",
    "hcloud",
    "scw",
    "oci",
    "ibmcloud",
    "aliyun",
    "tccli",
    "yc",
    "openstack",
    "nova",
    "exo",
    "upctl",
    "vultr-cli",
    "civo",
    "eksctl",
    "copilot",
    "sam",
    "cdk",
    "amplify",
    "eb",
    "ecs-cli",
    "s3cmd",
    "s5cmd",
    "mc",
    "b2",
    "wasabi",
  ],
  ...[
    "terraform",
    "tofu",
    "terragrunt",
    "pulumi",
    "cdktf",
    "ansible",
    "ansible-playbook",
    "salt",
    "puppet",
    "chef",
    "knife",
    "packer",
    "nomad",
    "consul",
    "boundary",
    "waypoint",
    "crossplane",
    "serverless",
    "sls",
  ],
  ...[
    "kubectl",
    "k",
    "oc",
    "helm",
    "helmfile",
    "kustomize",
    "k9s",
    "kubeadm",
    "kind",
    "minikube",
    "k3d",
    "k3s",
    "rancher",
    "argocd",
    "argo",
    "flux",
    "istioctl",
    "linkerd",
    "velero",
    "kops",
    "talosctl",
    "skaffold",
    "tilt",
    "devspace",
    "kubectx",
    "kubens",
    "stern",
    "cilium",
  ],
  ...[
    "heroku",
    "vercel",
    "netlify",
    "fly",
    "flyctl",
    "railway",
    "render",
    "wrangler",
    "firebase",
    "cf",
    "dokku",
    "surge",
    "supabase",
    "planetscale",
    "pscale",
    "neonctl",
    "turso",
    "atlas",
    "upstash",
    "convex",
    "deployctl",
    "now",
  ],
  ...[
    "gh",
    "glab",
    "hub",
    "circleci",
    "travis",
    "jenkins-cli",
    "jenkins",
    "drone",
    "buildkite-agent",
    "bk",
    "act",
    "tkn",
    "teamcity",
    "bamboo",
    "gitlab-runner",
    "gitlab",
    "tea",
  ],
  ...[
    "kafka-topics",
    "kafka-topics.sh",
    "kafka-configs",
    "kafka-configs.sh",
    "kafka-consumer-groups",
    "kafka-consumer-groups.sh",
    "kafka-acls",
    "kafka-delete-records",
    "kafka-delete-records.sh",
    "kcat",
    "rpk",
    "confluent",
    "nats",
    "rabbitmqctl",
    "rabbitmqadmin",
    "pulsar-admin",
    "nsqadmin",
    "emqx",
    "activemq",
  ],
  ...[
    "restic",
    "borg",
    "borgmatic",
    "duplicity",
    "duplicati",
    "kopia",
    "rdiff-backup",
    "bacula",
    "tarsnap",
    "snapper",
    "timeshift",
    "tmutil",
    "vssadmin",
    "wbadmin",
    "barman",
    "pgbackrest",
    "wal-g",
  ],
  ...[
    "virsh",
    "vagrant",
    "VBoxManage",
    "vboxmanage",
    "prlctl",
    "qm",
    "pct",
    "lxc",
    "incus",
    "multipass",
    "limactl",
    "colima",
    "govc",
    "esxcli",
    "xe",
  ],
  ...[
    "cloudflared",
    "flarectl",
    "certbot",
    "acme.sh",
    "step",
    "mkcert",
    "stripe",
    "twilio",
    "sentry-cli",
    "datadog-ci",
    "newrelic",
    "pagerduty",
    "opsgenie",
    "okta",
    "auth0",
    "ldapdelete",
    "ldapmodify",
    "algolia",
    "meilisearch",
    "elasticsearch-plugin",
    "opensearch-plugin",
    "elasticdump",
    "grafana-cli",
    "promtool",
    "influx",
    "consul-template",
    "launchdarkly",
    "ldcli",
    "splitio",
    "zoneadm",
    "dns",
    "nsupdate",
    "rndc",
    "pdnsutil",
    "mailq",
    "postsuper",
    "exim",
    "postqueue",
    "haproxyctl",
    "nginx",
    "apachectl",
    "traefik",
    "caddy",
    "kong",
    "varnishadm",
  ],
];

/** Words that take something away or stop it. They stand alone, or begin or end a word such as `delete-bucket` or `doDelete`. */
const TAKES_AWAY =
  /^(delete|del|destroy|remove|rm|rb|purge|drop|terminate|prune|wipe|revoke|disable|uninstall|flush|truncate|deregister|detach|unpublish|teardown|down|forget|abandon|cancel|expire|unassign|unset|undeploy|deprovision|decommission|suspend|reset|evict|drain|kill|stop|scale-down|force-unlock|clear|empty|erase|obliterate|rollback|break-lock|recreate|reset-offsets|deletefile|dispose|invalidate|leave|step-down|compact|unmount|rotate|poweroff|reboot|shutdown|failover|deactivate|unlink|rm-rf|demote|unregister|unsubscribe|rdelete|undefine|unregistervm|change_password|clear_password|delete_user|delete_vhost|stop_app|forget_cluster_node|purge_queue|close_all_connections|delete_queue|reset_queue|set_permissions|clear_permissions|set-iam-policy|add-iam-policy-binding)$/i;
const PART_TAKES_AWAY =
  /^(delete|destroy|remove|terminate|purge|deregister|disable|revoke|detach|stop|reboot|reset|cancel|drop|wipe|abort|unassign|disassociate|rollback|expire|deactivate|clear|kill|schedule-key-deletion|scheduled?-deletion|batch-delete|put-bucket-policy|put-bucket-acl|modify|update-.*-policy|release|empty)[-_:]|[-_:](delete|destroy|remove|rm|purge|wipe|reset|down|drop|kill|disable|rollback|unset|clear|terminate|revoke|undo|remove-all|prune|stop|uninstall|deletion)$|^do(Delete|Wipe|Disable)|^(delete|remove|destroy|purge|clear|disable|terminate)[A-Z]/;
const FLAG_TAKES_AWAY =
  /^--?(delete|del|destroy|remove|prune|purge|force-delete|delete-\w+|remove-\w+|prune-\w+|reset-offsets|force-conflicts|grace-period=0|force-reset|overwrite|replace|wipe|recreate|auto-approve|delete-config|alter)(=|$)/;
const HARMLESS =
  /^(--help|-h|help|--dry-run(=\w+)?|--version|version|list|ls|get|describe|show|--dryrun|plan|diff|status|logs|explain|--check|validate|--preview|--plan|--what-if)$/;

/** The words that say what is done: those before the first that is a value, at most six. */
const verbs = ({ args }: Call): readonly string[] =>
  args
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("-"))
    .slice(0, 5);

const isHarmless = ({ args }: Call): boolean =>
  args.some(({ text }) => /^(--help|-h|--dry-run(=(client|server|true))?|--dryrun|--version|--preview|--what-if|-WhatIf)$/.test(text)) ||
  /^(help|version|list|ls|get|describe|show|plan|diff|status|explain|validate)$/.test(args[0]?.text ?? "");

function takesAway(call: Call): boolean {
  const [first = "", second = ""] = verbs(call);
  // `aws s3 ls delete-me`: once a word says that it only looks, the rest are names.
  const namesService = /^(aws|gcloud|az|oci|openstack|aliyun)$/.test(call.program);
  if (isHarmless(call) || (!namesService && HARMLESS.test(first)) || (HARMLESS.test(second) && !TAKES_AWAY.test(first))) return false;
  return (
    verbs(call).some((word, index) => index < 4 && (TAKES_AWAY.test(word) || PART_TAKES_AWAY.test(word))) ||
    call.args.some(({ text }) => FLAG_TAKES_AWAY.test(text))
  );
}

/** Pods by their names: whoever made them makes them again. */
function endsOnePod(call: Call): boolean {
  const [verb = "", kind = "", ...names] = verbs(call);
  return (
    /^(kubectl|k|oc)$/.test(call.program) &&
    verb === "delete" &&
    (/^(pod|pods|po)$/.test(kind) ? names.length > 0 : /^(pod|pods|po)\//.test(kind)) &&
    !call.args.some(({ text }) =>
      /^(-A|-l|-f|-R|--(all|all-namespaces|selector|force|grace-period|filename|recursive|field-selector|raw)\b)/.test(text),
    )
  );
}

export const remoteRules: readonly CommandRule[] = [
  {
    id: "infrastructure-removed",
    family,
    severity: "high",
    why: "This deletes, stops or resets something outside this machine that others depend on.",
    instead: "Show what would change (plan, diff, --dry-run), and let a human do it.",
    programs: STEERING,
    find: (call) => takesAway(call) && !endsOnePod(call),
    examples: {
      flags: [
        "terraform destroy -auto-approve",
        "kubectl delete pod --all",
        "kubectl delete pods -l app=x",
        "kubectl delete pod x --force",
        "kubectl delete pod x -A",
        "kubectl delete ns prod",
        "aws s3 rm s3://b --recursive",
        "gcloud projects delete p",
        "az group delete --name g",
        "aws ec2 terminate-instances --instance-ids i",
        "aws --profile prod ec2 terminate-instances --instance-ids i",
        "helm uninstall x",
        "gh repo delete x",
        "vercel env rm X",
        "velero backup delete b",
        "kafka-topics --delete --topic x",
        "heroku apps:destroy",
        "fly apps destroy a",
        "aws iam delete-user --user-name x",
      ],
      passes: [
        "kubectl get pods",
        "terraform plan",
        "aws s3 ls",
        "gh pr list",
        "gh issue view 3",
        "helm list",
        "kubectl delete pod x --dry-run=client",
        "gcloud compute instances list",
        "kubectl describe pod delete-me",
      ],
    },
  },
  {
    id: "infrastructure-changed",
    family,
    severity: "medium",
    why: "This changes something outside this machine.",
    instead: "Show what would change first, and let a human do it.",
    programs: [
      "terraform",
      "tofu",
      "terragrunt",
      "pulumi",
      "ansible-playbook",
      "kubectl",
      "k",
      "oc",
      "helm",
      "serverless",
      "sls",
      "cdk",
      "sam",
      "eksctl",
      "kubeadm",
      "gh",
      "vercel",
      "netlify",
      "netlify-cli",
      "firebase",
      "wrangler",
      "heroku",
      "flyctl",
      "fly",
      "railway",
      "aws",
      "gcloud",
      "az",
      "argocd",
      "flux",
    ],
    find: (call) => {
      if (isHarmless(call)) return false;
      const text = verbs(call).join(" ");
      const { program } = call;
      if (/^(terraform|tofu|terragrunt)$/.test(program))
        return /^(apply|import|state (rm|mv|push|replace-provider)|workspace delete|force-unlock|taint|untaint|run-all (apply|destroy))\b/.test(
          text,
        );
      if (program === "pulumi") return /^(up|update|refresh|import|cancel|state|stack (rm|import|rename))\b/.test(text);
      if (/^(kubectl|k|oc)$/.test(program))
        return (
          endsOnePod(call) ||
          (/\b(apply|create|edit|patch|replace|scale|rollout (undo|restart|resume|pause)|set (env|image|resources|selector|serviceaccount|subject)|label|annotate|cordon|drain|taint|expose|autoscale|run|cp|exec|adm|certificate)\b/.test(
            text,
          ) &&
            !/^(get|describe|logs|config view)/.test(text))
        );
      if (program === "helm") return /^(install|upgrade|rollback|repo remove)\b/.test(text);
      if (program === "gh")
        return (
          /^(repo (delete|archive|rename|edit|transfer|deploy-key)|secret|variable (set|delete)|release (delete|edit|upload)|auth (logout|token|refresh)|workflow (disable|run)|run (delete|cancel)|api|ssh-key|gpg-key|ruleset|cache delete|pr (merge|close)|issue (close|delete|transfer|lock)|extension|label delete|codespace delete|gist delete)\b/.test(
            text,
          ) &&
          !(
            text.startsWith("api") &&
            !call.args.some(({ text: word }) => /^(-X|--method|-f|-F|--field|--raw-field|--input|-XDELETE|-XPUT|-XPOST|-XPATCH)/.test(word))
          )
        );
      if (program === "vercel" && (text === "" || /^\.\S*$/.test(text)))
        return call.args.some(({ text: word }) => /^--prod(uction)?$|^--target=production$/.test(word));
      if (/^(vercel|netlify|netlify-cli|firebase|wrangler|heroku|flyctl|fly|railway)$/.test(program))
        return /^(deploy|env:(set|import|clone)|env (add|pull)|secrets? (put|set|import)|secret:|config:(set|unset)|promote|alias|domains? |publish|rollback|apps:|pg:|releases:|scale|ps:|maintenance|restart|redeploy|hosting:|functions:|d1 |kv:|r2 |up$|run)/.test(
          text,
        );
      if (program === "aws")
        return (
          /^\S+ (put|update|modify|create|attach|authorize|run|start|reboot|associate|register|import|copy|restore|invoke|send|publish|enable|set|tag|untag|add|change|promote|failover|swap)[-a-z]*\b/.test(
            text,
          ) ||
          /^s3 (cp|mv|sync|mb|rb|rm|website)\b/.test(text) ||
          /^s3api put/.test(text)
        );
      if (program === "gcloud" || program === "az")
        return (
          /\b(create|update|deploy|set-iam-policy|add-iam-policy-binding|remove-iam-policy-binding|start|restart|resize|add|set|import|deallocate|patch|submit|enable|ssh|scp|move|run|assign|regenerate|renew|reset)\b/.test(
            text,
          ) &&
          !/^(config (list|get)|auth list|version|info)/.test(text) &&
          !/\b(list|show|describe|get)\b/.test(text)
        );
      if (program === "argocd" || program === "flux") return /\b(sync|rollback|set|terminate|patch|suspend|resume|reconcile)\b/.test(text);
      return (
        /\b(deploy|bootstrap|destroy|remove|delete|create|upgrade|reset|init|join|scale)\b/.test(text) || program === "ansible-playbook"
      );
    },
    examples: {
      flags: [
        "terraform apply",
        "kubectl apply -f x.yaml --force",
        "helm upgrade --force r c",
        "gh secret set X",
        "aws s3 sync . s3://b",
        "kubectl rollout undo deployment/x",
        "kubectl delete pod x",
        "kubectl delete pod/x -n shop",
        "vercel --prod",
      ],
      passes: [
        "terraform init",
        "vercel",
        "vercel dev",
        "kubectl get pods",
        "helm template .",
        "gh pr view",
        "aws sts get-caller-identity",
      ],
    },
  },
  {
    id: "http-delete",
    family,
    severity: "high",
    why: "This deletes or changes something through a web API.",
    instead: "Read with GET, and let a human send what changes things.",
    programs: ["curl", "wget", "http", "https", "xh", "httpie"],
    find: ({ program, args, text }) => {
      const words = args.map((arg) => arg.text);
      const method = words
        .find((word, index) =>
          /^(-X|--request|--method)$/.test(words[index - 1] ?? "") ? true : /^(-X|--request=|--method=)[A-Z]/.test(word),
        )
        ?.replace(/^(-X|--request=|--method=)/, "");
      if (/^DELETE$/i.test(method ?? "") || (/^(http|https|xh)$/.test(program) && /^DELETE$/i.test(words[0] ?? ""))) return true;
      return (
        /^(POST|PUT|PATCH)$/i.test(method ?? "") &&
        /(_delete_by_query|_close|\/(do)?(delete|destroy|remove|purge|wipe|disable|clear|reset|shutdown|quietdown|safeexit|exit|restart|stop|cancel)[A-Za-z_-]*(\b|$|\/|\?)|doDelete|doWipe|\/_all\b|rollback|terminate)/i.test(
          text,
        )
      );
    },
    examples: {
      flags: [
        "curl -X DELETE http://localhost:9200/logs",
        "curl -XDELETE https://x/y",
        "curl -X POST http://j/job/x/doDelete",
        "http DELETE x",
      ],
      passes: ["curl -X POST https://x/items", "curl https://x/delete", "curl -X GET https://x"],
    },
  },
  {
    id: "takes-away",
    family,
    severity: "medium",
    why: "By its own words this deletes or destroys something, with a program that is not known here.",
    instead: "Say what should be deleted, and let a human do it.",
    programs: ["*"],
    find: (call) => {
      if (call.program === "java" && /\b(delete|disable|remove)-|safe-(shutdown|restart)/.test(call.text)) return true;
      if (/(^|[-_])(delete|destroy|purge|wipe)([-_.]|$)/.test(call.program) && call.args.length > 0 && !isHarmless(call)) return true;
      if (KNOWN_LOCAL.has(call.program) || STEERING_SET.has(call.program) || call.program === "" || isHarmless(call)) return false;
      const [first = "", second = ""] = verbs(call);
      const strong =
        /^(delete|destroy|purge|wipe|uninstall|obliterate|erase|terminate|delete-all|drop|destroy-all|force-delete|unpublish|factory-reset)$/;
      return (
        strong.test(first) ||
        strong.test(second) ||
        /^[a-z-]+:(delete|destroy|drop|wipe|purge|remove)$/.test(first) ||
        /^(delete|destroy|purge)-/.test(first) ||
        (strong.test(verbs(call)[2] ?? "") && call.args.every(({ text }, index) => index > 3 || !text.startsWith("/")))
      );
    },
    examples: {
      flags: ["somecli volumes destroy v1", "frobctl delete thing", "java -jar jenkins-cli.jar -s http://j/ delete-job x"],
      passes: ["echo delete", "grep delete file", "cat destroy", "npm test", "./run.sh"],
    },
  },
];

const STEERING_SET = new Set(STEERING);
/** Programs of the shell and the text tools: their words are data. */
const KNOWN_LOCAL = new Set(
  "echo printf cat grep egrep fgrep rg ag ack sed awk gawk mawk find ls cd mkdir touch test [ [[ cp mv ln head tail sort uniq wc cut tr tee xargs diff comm join paste git npm npx yarn pnpm node python python3 perl ruby php make cmake cargo go rustc gcc g++ clang java javac mvn gradle docker podman curl wget ssh scp rsync tar zip unzip gzip gunzip chmod chown ps top htop kill df du free uname whoami id date sleep true false : read export set unset alias type which command man info less more vi vim nano emacs code open tmux screen jq yq bash sh zsh source eval exec sudo env psql mysql sqlite3 redis-cli mongo mongosh rm rmdir apt apt-get brew dnf yum pip pip3 uv poetry gem bundle rake rails tsc eslint prettier jest vitest pytest mocha playwright cypress shopt history split seq yes ping dig ifconfig ip watch time".split(
    " ",
  ),
);
