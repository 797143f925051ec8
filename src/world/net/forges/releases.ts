// Reads what was released, from GitHub and from GitLab.
import type { ForgeList, ForgeRelease } from "../../../contract/forge.ts";
import { untrustedText } from "../../../contract/text.ts";
import type { Fields } from "../../../std/json-record.ts";
import type { GetPage } from "./pages.ts";
import { bodyOf, instantIn, missing, readList, textAt, webAddress, words } from "./reading.ts";

interface At {
  readonly get: GetPage;
}

export async function githubReleases({ get }: At, place: string, root: string, most: number): Promise<ForgeList<ForgeRelease>> {
  const list = await readList(get, `${root}/releases?per_page=${Math.min(most, 100)}`, "releases", most);
  if (!list) throw missing(place);
  // Drafts are shown to those who may write: nobody has released them.
  const items = list.all
    .filter((release) => release.get("draft") !== true)
    .map((release) =>
      releaseIn(release, place, {
        at: instantIn(release, "published_at"),
        author: textAt(release, "author", "login"),
        body: textAt(release, "body"),
        address: textAt(release, "html_url"),
        isPrerelease: release.get("prerelease") === true,
      }),
    );
  return { items, notes: [] };
}

export async function gitlabReleases({ get }: At, place: string, root: string, most: number): Promise<ForgeList<ForgeRelease>> {
  const list = await readList(get, `${root}/releases?order_by=released_at&sort=desc&per_page=${Math.min(most, 100)}`, "releases", most);
  if (!list) throw missing(place);
  // What is planned for a later day is not released.
  const items = list.all
    .filter((release) => release.get("upcoming_release") !== true)
    .map((release) =>
      releaseIn(release, place, {
        at: instantIn(release, "released_at"),
        author: textAt(release, "author", "username"),
        body: textAt(release, "description"),
        address: textAt(release, "_links", "self"),
        isPrerelease: false,
      }),
    );
  return { items, notes: [] };
}

interface Released {
  readonly at: string;
  readonly author: string | undefined;
  readonly body: string | undefined;
  readonly address: string | undefined;
  readonly isPrerelease: boolean;
}

function releaseIn(release: Fields, place: string, { at, author = "nobody", body, address, isPrerelease }: Released): ForgeRelease {
  const [tag, name] = [textAt(release, "tag_name") ?? "", textAt(release, "name")];
  return {
    id: `${place} release ${tag} ${at}`,
    title: untrustedText(name === undefined || name === tag ? tag : `${tag}: ${name}`),
    ...bodyOf(body),
    author: untrustedText(author),
    // Whoever released it may write there, but its notes quote titles of whoever sent a change.
    trust: "outsider",
    at,
    address: webAddress(address),
    says: words(`released by ${author} on ${at.slice(0, 10)}`, isPrerelease ? "a prerelease" : undefined),
    isPrerelease,
  };
}
