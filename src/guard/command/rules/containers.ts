// Rules about containers, and ways out of them.
import { flagsOf } from "../flags.ts";
import type { CommandRule } from "../rule.ts";

const family = "containers";

export const containerRules: readonly CommandRule[] = [
  {
    id: "containers-removed",
    family,
    severity: "high",
    why: "This removes containers, images, volumes or networks, and what volumes hold is gone for good.",
    instead: "Remove the one container you started, by its name.",
    programs: ["docker", "podman", "nerdctl", "docker-compose", "podman-compose", "buildah", "crictl", "ctr"],
    find: (call) => {
      if (/--help/.test(call.text)) return false;
      const words = flagsOf(call, "fpc", ["file", "project-name", "profile", "project-directory", "context", "host", "env-file"]).words.map(
        ({ text: word }) => word,
      );
      const text = `${call.program === "docker-compose" || call.program === "podman-compose" ? "compose " : ""}${words.join(" ")}`;
      const has = (flag: RegExp): boolean => call.args.some(({ text: word }) => flag.test(word));
      if (/^(system|image|container|volume|network|builder|buildx|pod) prune\b/.test(text)) return true;
      if (
        /^(volume|network|context|swarm|stack|service|node|config|secret|plugin|image|container|machine|pod) (rm|remove|leave|ls-rm|kill|update|reset|demote)\b/.test(
          text,
        )
      )
        return !/^(image|container) rm\b/.test(text) || has(/^(-[a-z]*f|--force)/);
      if (/^(rm|rmi|kill|stop)\b/.test(text))
        return (
          has(/^(-[a-z]*f[a-z]*|--force)$/) ||
          call.args.some(({ known }) => !known) ||
          (text.startsWith("rm") && has(/^-[a-z]*v|--volumes/))
        );
      if (/^compose (down|rm|kill)\b/.test(text)) return has(/^(-[a-z]*v[a-z]*|--volumes|--rmi|--remove-orphans)/) || has(/^-[a-z]*f/);
      return false;
    },
    examples: {
      flags: [
        "docker system prune -af",
        "docker volume rm v",
        "docker rm -f $(docker ps -aq)",
        "docker-compose down -v",
        "docker compose down --volumes",
        "docker image prune -a",
        "docker rmi --force i",
      ],
      passes: ["docker ps", "docker compose down", "docker build .", "docker rm my-test", "docker image ls", "docker volume ls"],
    },
  },
  {
    id: "container-escape",
    family,
    severity: "high",
    why: "This gives a container the rights or the files of the whole machine.",
    instead: "Mount only the work folder, without --privileged.",
    programs: ["docker", "podman", "nerdctl"],
    find: ({ args, text }) =>
      /\b(run|create|exec)\b/.test(text) &&
      ((args.some(({ text: word }) =>
        /^--privileged(=true)?$|^--(pid|ipc|uts|userns|net|network)=host$|^--cap-add(=)?(ALL|SYS_ADMIN|SYS_PTRACE)?$|docker\.sock/.test(
          word,
        ),
      ) &&
        !args.some(({ text: word }) => /^--(net|network)=host$/.test(word) && !/privileged|docker\.sock/.test(text))) ||
        args.some(({ text: word }) => /^(-v|--volume=?)?(\/|~|\/etc|\/root|\/home|\/var\/run\/docker\.sock):/.test(word))),
    examples: {
      flags: [
        "docker run --privileged x",
        "docker run -v /:/host x",
        "docker run -v /var/run/docker.sock:/var/run/docker.sock x",
        "docker run --pid=host x",
      ],
      passes: ["docker run --rm x", "docker run -v $PWD:/app x", "docker run -p 80:80 x"],
    },
  },
];
