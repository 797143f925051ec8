// The name that the system knows the user of this process by, where no variable says it.
import { userInfo } from "node:os";

/** A user without an entry, as in many containers, has none, which the system says by failing. */
export function loginName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** The number that the system knows the user by; -1 where it has none for them. */
export const userId = (): number => userInfo().uid;
