// Opens what the dashboard has of its home and of the machine: the token, the built page, artifacts piece by piece, a server.
import { linkTo, type WebHome, type WebPlace } from "../contract/web.ts";
import { newFiles } from "../world/files/new-file.ts";
import { readReadySpecs } from "../world/files/ready-specs.ts";
import { texts } from "../world/files/spec-files.ts";
import { readBuiltPage } from "../world/files/web-files.ts";
import { thisProcessId } from "../world/machine/this-process.ts";
import { webServer } from "../world/net/web-server.ts";
import { openLink } from "../world/process/open-link.ts";
import { createArtifactPieces } from "../world/store/artifact-pieces.ts";
import { readWebPlace, takeWebToken, tellWebPlace } from "../world/store/web-token.ts";
import type { Home } from "./home.ts";
import { agentKeyOf } from "./page/agent-key.ts";

const MOST_PEM_BYTES = 256 * 1024;

/** With the page that was built with this program, where there is one, or without any. */
export const openWeb = (home: Home, page: "built" | "none"): WebHome => ({
  token: takeWebToken(home.folder),
  files: page === "built" ? readBuiltPage() : undefined,
  pieces: createArtifactPieces(home.artifacts),
  readySpecs: readReadySpecs,
  newFiles,
  server: webServer,
  tell: async (place) => tellWebPlace(home.folder, place),
  readText: (path) => texts.readWhole(path, MOST_PEM_BYTES),
  pid: thisProcessId,
});

/** Where somebody who has the home finds its dashboard; undefined where nothing serves it. */
export function findDashboard(home: Home): (WebPlace & { readonly link: string }) | undefined {
  const place = readWebPlace(home.folder);
  return place && { ...place, link: linkTo(place.url, takeWebToken(home.folder)) };
}

/** Where an agent asks over the Model Context Protocol, with the key that is its own; undefined where nothing serves it. */
export function findAgentAddress(home: Home, name: string): { readonly url: string; readonly authorization: string } | undefined {
  const place = readWebPlace(home.folder);
  return place && { url: `${place.url}/mcp`, authorization: `Bearer ${agentKeyOf(takeWebToken(home.folder), name)}` };
}

export const showLink = (link: string, platform: string): Promise<boolean> => openLink(link, platform);
