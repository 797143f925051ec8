import { describe, expect, it } from "vitest";
import { gitFailed, gitWithoutRoom } from "./git-call.ts";

describe("what git says of a disk that is full", () => {
  it.each([
    "fatal: unable to write loose object file: No space left on device",
    "error: unable to create temporary file: No space left on device\nfatal: failed to write object",
    "fatal: unable to write new index file: Disk quota exceeded",
    "error: unable to write file docs/value.txt",
    "fatal: sha1 file '/home/rounds/fix/work/.git/index.lock' write error. Out of diskspace",
    "fatal: update_ref failed for ref 'refs/heads/main': cannot update ref 'refs/heads/main': couldn't write '/repo/.git/refs/heads/main.lock'",
  ])("passes once there is room, and is told so: %s", (said) => {
    for (const failure of [gitFailed(["update-ref"], said), gitWithoutRoom(said)])
      expect(failure).toMatchObject({ code: "store-unusable", retry: "later", hint: expect.stringContaining("make room") });
  });

  it.each(["fatal: not a git repository", "error: cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists", ""])(
    "is nothing else that it says: %s",
    (said) => {
      expect([gitWithoutRoom(said), gitFailed(["status"], said).code]).toEqual([undefined, "git-failed"]);
    },
  );
});
