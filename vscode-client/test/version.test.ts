import assert from "node:assert/strict";
import { test } from "node:test";
import { isOlder, printedVersion } from "../src/discovery/version";

test("the version is read from what dllint prints", () => {
  assert.equal(printedVersion("dllint 0.1.0\n"), "0.1.0");
  assert.equal(printedVersion("a warning before\ndllint 1.2\n"), "1.2");
  assert.equal(printedVersion("Python 3.11.7"), undefined);
});

test("versions are compared part by part, as numbers", () => {
  assert.equal(isOlder("0.9.0", "0.10.0"), true);
  assert.equal(isOlder("0.10", "0.10.0"), false);
  assert.equal(isOlder("1.0", "0.99.99"), false);
  assert.equal(isOlder("0.1", "0.1.1"), true);
});
