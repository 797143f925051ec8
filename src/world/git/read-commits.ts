// Puts together what is known of listed commits: message and changes.

import type { ChangeSigns } from "../../contract/change-signs.ts";
import type { CommitFacts } from "../../contract/git.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Repository } from "./open-repository.ts";
import { readChanges } from "./read-changes.ts";
import { readMessages } from "./read-messages.ts";
import { readAllSigns } from "./read-signs.ts";

export interface ListedCommit {
  readonly id: string;
  readonly at: string;
  /** As git sees them: none where a shallow clone was cut. */
  readonly parents: readonly string[];
}

export async function readCommits(
  repository: Repository,
  listed: readonly ListedCommit[],
): Promise<{ readonly commits: readonly CommitFacts[]; readonly notes: readonly string[] }> {
  if (listed.length === 0) return { commits: [], notes: [] };
  const messages = await readMessages(
    repository,
    listed.map(({ id }) => id),
  );
  const changes = await readChanges(repository, listed);
  // A partial clone would have to fetch what it left behind.
  const signs = changes.isPartial
    ? new Map<string, ChangeSigns>()
    : await readAllSigns(repository, listed, (id) => changes.byId.get(id)?.paths ?? []);
  const commits = listed.map(({ id, at, parents }): CommitFacts => {
    const { subject, body, author } = messages.byId.get(id) ?? { subject: "", body: "", author: "" };
    const known = signs.get(id);
    const { paths, changedLines } = changes.byId.get(id) ?? { paths: [], changedLines: 0 };
    return {
      commit: id,
      at,
      subject: untrustedText(subject),
      body: untrustedText(body),
      parents: parents.length,
      paths: paths.map(untrustedText),
      changedLines,
      ...(author === "" ? {} : { author: untrustedText(author) }),
      ...(parents.length > 1 ? { merges: parents.slice(1) } : {}),
      ...(known ? { signs: known } : {}),
    };
  });
  return {
    commits,
    notes: [
      ...aboutCommits(messages.tooLong, "has a message too long to read"),
      ...(changes.isPartial ? ["the clone is partial: changed lines were not counted, as the contents are not here"] : []),
      ...aboutCommits(changes.unread, "changed things that could not be read"),
      ...aboutCommits(changes.cut, "changed more files than are listed"),
    ],
  };
}

function aboutCommits(ids: readonly string[], what: string): readonly string[] {
  if (ids.length === 0) return [];
  const named = ids
    .slice(0, 3)
    .map((id) => id.slice(0, 12))
    .join(", ");
  return [ids.length > 3 ? `${named} and ${ids.length - 3} more: each ${what}` : `${named}: ${what}`];
}
