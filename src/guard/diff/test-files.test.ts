import { expect, it } from "vitest";
import { isTestFile } from "./test-files.ts";

it.each([
  "test/a.js",
  "src/__tests__/login.js",
  "src/a.test.ts",
  "a.spec.tsx",
  "tests/test_a.py",
  "pkg/a_test.go",
  "conftest.py",
  "App.Tests/Login.cs",
  "integration-tests/login.ts",
  "unit_tests/a.c",
  "src/test/java/LoginTest.java",
  "src/it/java/LoginIT.java",
  "spec/login_spec.rb",
  "t/basic.t",
  "db/test/a.sql",
])("%s holds tests", (path) => expect(isTestFile(path)).toBe(true));

it.each([
  "src/a.ts",
  "src/contest/a.js",
  "src/latest/a.js",
  "attestation/a.js",
  "docs/test-plan.md",
  "src/spectrum.ts",
  "src/inspector/a.ts",
  "testimonials/a.html",
])("%s does not", (path) => expect(isTestFile(path)).toBe(false));
