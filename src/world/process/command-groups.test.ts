import { describe, expect, it } from "vitest";
import { findSite } from "./command-groups.ts";

const everything = (): boolean => true;
const nothing = (): boolean => false;

describe("where groups of processes are made", () => {
  it("is below our own, in each tree of version 1", () => {
    const groups = "9:name=systemd:/\n8:pids:/\n4:memory:/api/f72\n0::/\n";
    const mounts = [
      "30 29 0:26 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory",
      "31 29 0:27 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids",
      "32 29 0:28 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw",
    ].join("\n");

    expect(findSite(groups, mounts, everything)).toEqual({
      version: 1,
      memory: "/sys/fs/cgroup/memory/api/f72",
      tasks: "/sys/fs/cgroup/pids",
    });
    expect(findSite(groups, mounts, nothing)).toEqual({ version: 1, memory: undefined, tasks: undefined });
  });

  it("is beside our own in version 2, where a group with processes bounds nobody below it", () => {
    const mounts = "30 29 0:26 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw";
    const slice = "/sys/fs/cgroup/user.slice/user@1000.service/app.slice";

    expect(findSite("0::/user.slice/user@1000.service/app.slice/term.scope\n", mounts, everything)).toEqual({
      version: 2,
      memory: slice,
      tasks: slice,
    });
    expect(findSite("0::/user.slice/session-2.scope\n", mounts, (path) => !path.endsWith("cgroup.procs"))).toEqual({
      version: 2,
      memory: undefined,
      tasks: undefined,
    });
  });

  it("goes by what a container shows of it, and is nowhere where that is nothing", () => {
    const shown = "30 29 0:26 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";

    expect(findSite("4:memory:/docker/abc/x\n", shown, everything).memory).toBe("/sys/fs/cgroup/memory/x");
    expect(findSite("4:memory:/elsewhere\n", shown, everything).memory).toBeUndefined();
    expect(findSite("0::/\n", "30 29 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw", everything).memory).toBeUndefined();
    expect(findSite("", "", everything)).toEqual({ version: 2, memory: undefined, tasks: undefined });
  });
});
