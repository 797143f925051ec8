// Wishes as people put them, and the loop that each of them means. Written before the rules that read them.

export type Meant = "mend" | "watch" | "format" | "lint" | "upkeep" | "tests" | "change" | "unsure";

export interface Wish {
  readonly says: string;
  readonly means: Meant;
  /** When it should wake, where the sentence says so. */
  readonly wakes?: string;
}

/** Fifty of our own. */
export const wishes: readonly Wish[] = [
  // Something is broken, and should work again.
  { says: "Fix the failing tests", means: "mend" },
  { says: "Keep main green", means: "mend" },
  { says: "Whenever a test breaks on main, repair it", means: "mend", wakes: "git" },
  { says: "Please make the test suite pass again", means: "mend" },
  { says: "The checkout total is wrong for empty baskets, correct it", means: "mend" },
  { says: "Repair the build every night", means: "mend", wakes: "daily" },
  { says: "Mend the memory leak in the report generator", means: "mend" },
  { says: "Resolve the crash when the config file is missing", means: "mend" },
  { says: "Our parser fails on nested quotes; sort that out", means: "mend" },
  { says: "If CI turns red, get it green without touching the tests", means: "mend", wakes: "git" },
  { says: "Correct the typo detection in the spell checker", means: "mend" },
  { says: "Debug why the retry queue loses jobs", means: "mend" },
  { says: "Stop the flaky login test from failing", means: "mend" },
  // Somebody wants to know.
  { says: "Tell me every morning what landed on main", means: "watch", wakes: "daily" },
  { says: "Summarise yesterday's commits", means: "watch" },
  { says: "Watch the release branch and report risky changes", means: "watch" },
  { says: "Give me a weekly digest of what changed", means: "watch", wakes: "weekly" },
  { says: "List the merges that touch payment code each day at 7:15", means: "watch", wakes: "daily" },
  { says: "I want to know which commits deserve a second look", means: "watch" },
  { says: "Keep an eye on new commits and let me know about dangerous ones", means: "watch" },
  { says: "Rank this week's commits by how much attention they need", means: "watch" },
  { says: "Review new commits on main hourly", means: "watch", wakes: "every" },
  { says: "Notify me when something important was merged", means: "watch", wakes: "git" },
  // How code looks.
  { says: "Format the code every night", means: "format", wakes: "daily" },
  { says: "Run prettier over the repository once a week", means: "format", wakes: "weekly" },
  { says: "Keep the formatting consistent", means: "format" },
  { says: "Tidy up the indentation of the Go files", means: "format" },
  { says: "Reformat everything with black", means: "format" },
  // What linters say.
  { says: "Fix the lint errors", means: "lint" },
  { says: "Clear up eslint warnings daily", means: "lint", wakes: "daily" },
  { says: "Get rid of the clippy complaints", means: "lint" },
  { says: "Resolve type errors that mypy reports", means: "lint" },
  { says: "Make the linter happy again", means: "lint" },
  // Dependencies.
  { says: "Update the dependencies every Monday", means: "upkeep", wakes: "weekly" },
  { says: "Bump outdated npm packages, one at a time", means: "upkeep" },
  { says: "Keep our libraries up to date", means: "upkeep" },
  { says: "Upgrade lodash when a new version is out", means: "upkeep" },
  { says: "Raise the pinned versions in requirements.txt monthly", means: "upkeep" },
  // More tests.
  { says: "Write tests for the parser", means: "tests" },
  { says: "Increase the test coverage of the billing module", means: "tests" },
  { says: "Add missing unit tests", means: "tests" },
  { says: "Cover the edge cases of the date helper with tests", means: "tests" },
  // Nobody could tell, or it is no loop over code that we have.
  { says: "Make it better", means: "unsure" },
  { says: "Do something useful", means: "unsure" },
  { says: "The database", means: "unsure" },
  { says: "Buy milk on the way home", means: "unsure" },
  { says: "Post the weather to Slack every morning", means: "unsure" },
  { says: "Hello there", means: "unsure" },
  { says: "Deploy to production after lunch", means: "unsure" },
  { says: "Fix it or summarise it, whichever you like", means: "unsure" },
];

/** In words that lead keyword hits astray: what is mended is named like another loop. */
export const misroutes: readonly Wish[] = [
  { says: "Repair the race in the parallel worker queue", means: "mend" },
  { says: "Mend the bug that two concurrent jobs share a lock", means: "mend" },
  { says: "Add a column for the role of a user", means: "change" },
  { says: "Introduce a team field to the member table", means: "change" },
  { says: "Correct the error on the page where people choose their billing plan", means: "mend" },
  { says: "The plan page crashes: fix it", means: "mend" },
  { says: "In short: mend the login", means: "mend" },
  { says: "Be quick and fix the sign-in bug", means: "mend" },
  { says: "Fix the report that is formatted wrongly", means: "mend" },
  { says: "Mend the watch mode of the dev server", means: "mend" },
  { says: "Fix the dependency resolver, it drops updates", means: "mend" },
  { says: "Tell me when the formatter changed anything", means: "watch" },
  { says: "Summarise what the linter team merged", means: "watch" },
  { says: "Fix the test that checks the summary email", means: "mend" },
  { says: "Don't fix anything, only tell me what landed", means: "watch" },
];

/** Written when the rules stood; all but the sixth went right at once. */
export const laterWishes: readonly Wish[] = [
  { says: "Solve the deadlock between the indexer and the cache", means: "mend" },
  { says: "Whenever main breaks, fix the cause", means: "mend", wakes: "git" },
  { says: "Every Friday, tell me which pull requests were merged", means: "watch", wakes: "weekly" },
  { says: "Show me what changed since the last release", means: "watch" },
  { says: "Patch the summary widget so that it stops flickering", means: "mend" },
  { says: "Run black and isort nightly", means: "format", wakes: "daily" },
  { says: "Let me know when somebody pushes to the release branch", means: "watch", wakes: "git" },
  { says: "Bump the actions in our workflows each month", means: "upkeep", wakes: "every" },
  { says: "Implement pagination for the order list", means: "change" },
  { says: "Improve the coverage of the tokenizer", means: "tests" },
  { says: "Silence the pylint warnings", means: "lint" },
  { says: "Don't touch the code; just report which commits look risky", means: "watch" },
  { says: "Get the integration suite passing again", means: "mend" },
  { says: "Keep the docs in sync with the code", means: "unsure" },
  { says: "Rename the user service", means: "unsure" },
  { says: "Can you correct the rounding in invoices?", means: "mend" },
  { says: "Drop support for Python 3.8", means: "change" },
  { says: "Tell me a joke", means: "unsure" },
  { says: "The weekly report job fails on Sundays, fix that", means: "mend" },
  { says: "Update the changelog for every merge", means: "change" },
];
