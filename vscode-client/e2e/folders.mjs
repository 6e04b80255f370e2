// A workspace with two folders: each has its own configuration and its own interpreter, with which its scripts are run.
import assert from "node:assert/strict";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { reporting } from "./reporting.mjs";
import { scenario } from "./scenario.mjs";

const FOLDERS = {
  vision: { name: "train.py", row: 11, text: "the curves of vision" },
  policies: { name: "policy.py", row: 8, text: "the curves of the policies" },
};
const WORKSPACE = "two.code-workspace";
const IGNORED = 'ignore = ["DLN"]\n';

function twoFolders(workspace) {
  for (const [folder, script] of Object.entries(FOLDERS)) {
    mkdirSync(path.join(workspace, folder, ".vscode"), { recursive: true });
    renameSync(path.join(workspace, script.name), path.join(workspace, folder, script.name));
    const settings = { "dllint.interpreter": [reporting(script)] };
    writeFileSync(path.join(workspace, folder, ".vscode/settings.json"), JSON.stringify(settings));
  }
  const folders = Object.keys(FOLDERS).map((name) => ({ path: name }));
  writeFileSync(path.join(workspace, WORKSPACE), JSON.stringify({ folders }));
}

async function diagnosed(workbench, { name, text }) {
  await workbench.command("dllint: Diagnose this training script");
  await workbench.waitForTab(`Diagnosis of ${name}`);
  await workbench.pageText(text);
  await workbench.command("Notifications: Clear All Notifications");
}

async function follow({ workbench, workspace, done, picture }) {
  const { vision, policies } = FOLDERS;
  await workbench.waitForStatus("ready");
  await workbench.squiggle("error").first().waitFor({ state: "attached" });
  done("a finding in the first folder");
  await diagnosed(workbench, vision);
  done("a script of the first folder is run by its interpreter");

  // Else both scripts are on the screen.
  await workbench.command("View: Join All Editor Groups");
  await workbench.open(policies.name);
  const squiggle = workbench.squiggle("warning").first();
  await squiggle.waitFor({ state: "attached" });
  writeFileSync(path.join(workspace, "policies/dllint.toml"), IGNORED);
  await squiggle.waitFor({ state: "detached" });
  done("a configuration of the second folder takes effect there");
  assert.ok((await workbench.problems()).some((row) => row.includes(vision.name)));
  done("the first folder keeps its findings");
  await diagnosed(workbench, policies);
  done("a script of the second folder is run by its own interpreter");
  await picture("folders");
}

await scenario({ name: "vision/train.py", settings: {}, prepare: twoFolders, opened: WORKSPACE }, follow);
