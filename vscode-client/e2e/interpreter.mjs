// The server of the interpreter that the Python extension has chosen; the commands; and an interpreter without dllint.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { options, scenario } from "./scenario.mjs";

const NAME = "policy.py";
const FIXED = "log_probabilities = torch.log_softmax(logits, dim=-1)";

const folder = mkdtempSync(path.join(tmpdir(), "dllint-stub-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

async function pythonExtension() {
  const packagePath = path.join(folder, "python.vsix");
  const cwd = path.join(import.meta.dirname, "python-stub");
  await createVSIX({ cwd, packagePath, dependencies: false, allowMissingRepository: true, skipLicense: true });
  return packagePath;
}

/** A Python interpreter in which there is no dllint. */
function bareInterpreter() {
  const file = path.join(folder, "python");
  writeFileSync(file, '#!/bin/sh\necho "$0: No module named dllint" >&2\nexit 1\n', { mode: 0o755 });
  return file;
}

function workspaceSettings(workspace, settings) {
  mkdirSync(path.join(workspace, ".vscode"), { recursive: true });
  writeFileSync(path.join(workspace, ".vscode/settings.json"), JSON.stringify(settings));
}

async function follow({ workbench, workspace, file, done }) {
  const chosen = await workbench.waitForStatus("ready");
  assert.ok(chosen.includes(`${options.interpreter} -m dllint (interpreter)`), chosen);
  done("the server is the chosen interpreter's");
  const squiggle = workbench.squiggle("warning").first();
  await squiggle.waitFor({ state: "attached" });
  workspaceSettings(workspace, { "dllint.ignore": ["DLN"] });
  await squiggle.waitFor({ state: "detached" });
  workspaceSettings(workspace, {});
  await squiggle.waitFor({ state: "attached" });
  done("a setting takes effect while the server runs");

  await workbench.command("dllint: Fix All in File");
  await workbench.waitForText(FIXED);
  await workbench.save(NAME);
  assert.ok(readFileSync(file, "utf8").includes(FIXED));
  done("all is fixed");

  await workbench.command("Stub: Choose the Other Interpreter");
  await workbench.waitForStatus("not running");
  await workbench.waitForMessage("dllint is not installed for");
  done("an interpreter without dllint is complained about");
  await workbench.command("Stub: Choose the Other Interpreter");
  await workbench.waitForStatus("ready");
  done("back with the first one");

  // Last, because the page takes the keyboard when it has been drawn.
  await workbench.page.keyboard.press("Control+Z");
  await squiggle.waitFor({ state: "attached" });
  await workbench.goTo(7, 21);
  await workbench.command("dllint: Open Rule Documentation");
  await workbench.waitForTab("DLN105");
  done("the rule's page is open");
}

process.env.DLLINT_STUB_INTERPRETERS = [options.interpreter, bareInterpreter()].join(path.delimiter);
// A dllint on PATH would be taken instead of complaining.
const folders = process.env.PATH.split(path.delimiter);
process.env.PATH = folders.filter((candidate) => !existsSync(path.join(candidate, "dllint"))).join(path.delimiter);
await scenario({ name: NAME, settings: {}, extensions: [await pythonExtension()] }, follow);
