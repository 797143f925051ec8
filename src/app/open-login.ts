// Says by which name the system knows whoever calls; apart, because the front door needs nothing else of the world.
import { loginName } from "../world/machine/login-name.ts";

export const openLogin = (): string | undefined => loginName();
