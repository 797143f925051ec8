// Why a file could not be read, in words and not in the system's codes.

export function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "EISDIR":
      return "it is a folder";
    case "EACCES":
    case "EPERM":
      return "you may not read it";
    case "ELOOP":
      return "its links lead in a circle";
    case "ENOTDIR":
      return "a part of its path is a file";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
