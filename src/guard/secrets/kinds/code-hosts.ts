// Secrets of places that keep, build and check code.
import { ALNUM, BASE64, fresh, freshBefore, HEX, type SecretKind, token, WORD } from "../kind.ts";

/** Tokens of places that keep code and packages, and of those that build and check them. */
export const codeHostKinds: readonly SecretKind[] = [
  token(
    "github-token",
    "GitHub token",
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    /gh[pousr]_[A-Za-z0-9]{30,255}/y,
    (chance) => `gh${"p_"}${chance.text(ALNUM, 36)}`,
    {
      passes: ["ghp_short", "high_level_thing"],
    },
  ),
  token(
    "github-fine-token",
    "GitHub fine-grained token",
    ["github_pat_"],
    /github_pat_[A-Za-z0-9_]{20,255}/y,
    (chance) => `github${"_pat_"}${chance.text(ALNUM, 22)}_${chance.text(ALNUM, 59)}`,
  ),
  token(
    "gitlab-token",
    "GitLab token",
    ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glwt-", "GR1348941"],
    fresh(/(?:gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-|GR1348941)[A-Za-z0-9_.-]{18,300}/),
    (chance) => `gl${"pat-"}${chance.text(WORD, 20)}`,
  ),
  token(
    "bitbucket-token",
    "Bitbucket token",
    ["ATBB", "ATCTT3"],
    fresh(/(?:ATBB[A-Za-z0-9]{24,64}|ATCTT3[A-Za-z0-9_=-]{60,300})/),
    (chance) => `AT${"BB"}${chance.text(ALNUM, 32)}`,
  ),
  token(
    "atlassian-token",
    "Atlassian token",
    ["ATATT3", "ATSTT3"],
    fresh(/AT[AS]TT3[A-Za-z0-9_=-]{30,400}/),
    (chance) => `AT${"ATT3xFfGF0"}${chance.text(WORD, 170)}=${chance.text("0-9A-F", 8)}`,
  ),
  token("npm-token", "npm token", ["npm_"], fresh(/npm_[A-Za-z0-9]{36,80}/), (chance) => `np${"m_"}${chance.text(ALNUM, 36)}`, {
    passes: ["npm_config_user_agent", "npm_lifecycle_event"],
  }),
  token(
    "pypi-token",
    "PyPI token",
    ["pypi-Ag"],
    /pypi-Ag[A-Za-z0-9_-]{40,400}/y,
    (chance) => `py${"pi-AgEIcHlwaS5vcmc"}${chance.text(WORD, 140)}`,
  ),
  token("rubygems-key", "RubyGems key", ["rubygems_"], /rubygems_[a-f0-9]{40,64}/y, (chance) => `ruby${"gems_"}${chance.text(HEX, 48)}`),
  token(
    "crates-token",
    "crates.io token",
    ["cio"],
    fresh(/cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/),
    (chance) => `ci${"o"}${chance.text(ALNUM, 31)}7`,
    { accepts: (text) => /[0-9]/.test(text) && /[A-Z]/.test(text) },
  ),
  token("nuget-key", "NuGet key", ["oy2"], fresh(/oy2[a-z0-9]{43}(?![a-z0-9])/), (chance) => `oy${"2"}${chance.text("a-z0-9", 43)}`),
  token("clojars-token", "Clojars token", ["CLOJARS_"], /CLOJARS_[a-f0-9]{50,70}/y, (chance) => `CLO${"JARS_"}${chance.text(HEX, 60)}`),
  token("artifactory-key", "JFrog key", ["AKCp"], fresh(/AKCp[A-Za-z0-9]{60,90}/), (chance) => `AK${"Cp"}${chance.text(ALNUM, 69)}`),
  token(
    "sonar-token",
    "SonarQube token",
    ["sqp_", "squ_", "sqa_", "sqb_"],
    fresh(/sq[puab]_[a-f0-9]{40}/),
    (chance) => `sq${"p_"}${chance.text(HEX, 40)}`,
  ),
  token(
    "circleci-token",
    "CircleCI token",
    ["CCIPAT_", "CCIPRJ_"],
    /CCIP(?:AT|RJ)_[A-Za-z0-9]{10,40}_[a-f0-9]{40}/y,
    (chance) => `CCI${"PAT_"}${chance.text(ALNUM, 22)}_${chance.text(HEX, 40)}`,
  ),
  token(
    "buildkite-token",
    "Buildkite token",
    ["bkua_", "bkaa_", "bkct_", "bkpt_"],
    fresh(/bk(?:ua|aa|ct|pt)_[A-Za-z0-9]{30,80}/),
    (chance) => `bk${"ua_"}${chance.text(HEX, 40)}`,
  ),
  token(
    "linear-key",
    "Linear key",
    ["lin_api_", "lin_oauth_"],
    /lin_(?:api|oauth)_[A-Za-z0-9]{30,80}/y,
    (chance) => `li${"n_api_"}${chance.text(ALNUM, 40)}`,
  ),
  token(
    "postman-key",
    "Postman key",
    ["PMAK-", "PMAT-"],
    /PMA[KT]-[A-Za-z0-9]{24}-[A-Za-z0-9]{30,40}/y,
    (chance) => `PM${"AK-"}${chance.text(HEX, 24)}-${chance.text(HEX, 34)}`,
  ),
  token(
    "grafana-token",
    "Grafana token",
    ["glsa_", "glc_"],
    fresh(/(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})/),
    (chance) => `gl${"sa_"}${chance.text(ALNUM, 32)}_${chance.text(HEX, 8)}`,
  ),
  token(
    "sentry-token",
    "Sentry token",
    ["sntrys_", "sntryu_", "sntrya_", "sntryi_"],
    /sntry[suai]_[A-Za-z0-9+/=_-]{40,600}/y,
    (chance) => `sn${"trys_eyJ"}${chance.text(BASE64, 100)}_${chance.text(BASE64, 43)}`,
  ),
  token(
    "newrelic-key",
    "New Relic key",
    ["NRAK-", "NRII-", "NRJS-", "NRIQ-", "NRRA-"],
    /NR(?:AK|II|JS|IQ|RA)-[A-Za-z0-9_-]{19,64}/y,
    (chance) => `NR${"AK-"}${chance.text("A-Z0-9", 27)}`,
  ),
  token("newrelic-key", "New Relic licence key", ["NRAL"], /NRAL/y, (chance) => `${chance.text(HEX, 36)}NR${"AL"}`, {
    before: freshBefore(/[A-Fa-f0-9]{36}/),
  }),
  token(
    "launchdarkly-key",
    "LaunchDarkly key",
    ["sdk-", "api-", "mob-"],
    fresh(/(?:sdk|api|mob)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/),
    (chance) =>
      `sd${"k-"}${chance.text(HEX, 8)}-${chance.text(HEX, 4)}-${chance.text(HEX, 4)}-${chance.text(HEX, 4)}-${chance.text(HEX, 12)}`,
  ),
];
