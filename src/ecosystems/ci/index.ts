// Every system of CI that we can read.
import type { CiSystem } from "../../contract/scan.ts";
import { githubActions } from "./github-actions.ts";
import { gitlabCi } from "./gitlab-ci.ts";
import { azure, bitbucket, circleCi, travis, woodpecker } from "./scripts.ts";

export const ciSystems: readonly CiSystem[] = [githubActions, gitlabCi, circleCi, travis, azure, bitbucket, woodpecker];
