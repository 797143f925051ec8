// Which paths hold tests, by the naming conventions that test runners collect by.

const FOLDERS = /(^|\/)([^/]*[._-])?(tests?|__tests__|specs?|e2e|testdata|testing)\//i;
/** What was installed there is nobody's test, whatever folder it lies in. */
const INSTALLED = /(^|\/)(node_modules|site-packages|[^/]+\.(dist|egg)-info)\//i;
const NAMES: readonly RegExp[] = [
  /(^|\/)(tests?|specs?)\.([cm]?[jt]sx?|py|rb|php)$/i,
  // As node itself collects them.
  /(^|\/)test-[^/]+\.[cm]?[jt]sx?$/i,
  /(^|\/)[^/]+[._-](test|spec)-d\.[cm]?tsx?$/i,
  /(^|\/)[^/]+[._-](test|spec|tests|specs|cy|e2e)\.[cm]?[jt]sx?$/i,
  /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$/i,
  /(^|\/)[^/]*_test\.(go|dart|exs?|cc|cpp|c|rb)$/i,
  /(^|\/)[^/]*_spec\.rb$/i,
  /(^|\/)[^/]*(Test|Tests|TestCase|Spec|IT)\.(java|kt|kts|scala|groovy|cs|fs|php|swift)$/,
  /(^|\/)[^/]+\.(t|bats)$/i,
];
const CODE =
  /\.([cm]?[jt]sx?|py|go|rs|rb|java|kts?|scala|groovy|cs|fs|php|swift|dart|exs?|c|cc|cpp|hs|ml|lua|pl|t|sh|bats|sql|feature|robot)$/i;

/** Packages that a runner finds by where they lie. */
export const isInstalled = (path: string): boolean => INSTALLED.test(path);

/** By its own name, wherever it lies. */
export const isNamedTest = (path: string): boolean => !isInstalled(path) && NAMES.some((name) => name.test(path));

export const isTestFile = (path: string): boolean => isNamedTest(path) || (FOLDERS.test(path) && CODE.test(path) && !isInstalled(path));
