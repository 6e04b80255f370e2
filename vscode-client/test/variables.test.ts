import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { substituted } from "../src/discovery/variables";

const FOLDERS = [
  { name: "model", path: "/code/model" },
  { name: "data", path: "/code/data" },
];

test("variables are replaced", () => {
  assert.equal(substituted("${workspaceFolder}/bin/dllint", FOLDERS), "/code/model/bin/dllint");
  assert.equal(substituted("${workspaceFolder:data}/x", FOLDERS), "/code/data/x");
  assert.equal(substituted("${env:VENV}/bin/python", FOLDERS, { VENV: "/env" }), "/env/bin/python");
  assert.equal(substituted("${userHome}/x", FOLDERS), `${homedir()}/x`);
  assert.equal(substituted("~/x", FOLDERS), `${homedir()}/x`);
});

test("what has no value stays as it is", () => {
  assert.equal(substituted("${env:ABSENT}/${command:x}/${workspaceFolder}", [], {}), "${env:ABSENT}/${command:x}/${workspaceFolder}");
  assert.equal(substituted("/a~/b", FOLDERS), "/a~/b");
});
