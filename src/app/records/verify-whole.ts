// Verifies a home as a whole: its records, what was signed of them, and the bytes that they name.
import type { House } from "../open-house.ts";
import { type ArtifactsVerification, verifyArtifacts } from "./verify-artifacts.ts";
import { type HomeVerification, verifyHome } from "./verify-home.ts";

export type WholeVerification = Omit<HomeVerification, "problems"> & {
  readonly artifacts: number;
  readonly problems: readonly (HomeVerification["problems"] | ArtifactsVerification["problems"])[number][];
};

export async function verifyWhole(house: Pick<House, "journal" | "signing" | "artifacts">): Promise<WholeVerification> {
  const home = await verifyHome(house);
  const { artifacts, problems } = await verifyArtifacts(house);
  return { ...home, kind: problems.length > 0 ? "broken" : home.kind, artifacts, problems: [...home.problems, ...problems] };
}
