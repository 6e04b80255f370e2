// A workspace that is not trusted and names an executable of its own: the bundled server runs, the executable does not.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scenario } from "./scenario.mjs";

const NAME = "net.py";
const TRACE = "it-ran";

function lure(workspace) {
  const trap = path.join(workspace, "trap");
  writeFileSync(trap, `#!/bin/sh\ntouch '${path.join(workspace, TRACE)}'\n`, { mode: 0o755 });
  mkdirSync(path.join(workspace, ".vscode"));
  writeFileSync(path.join(workspace, ".vscode/settings.json"), JSON.stringify({ "dllint.path": [trap] }));
  // Modules that a server started in this folder would import, if it looked for modules there.
  for (const module of ["dllint.py", "random.py"]) {
    writeFileSync(path.join(workspace, module), `open(${JSON.stringify(path.join(workspace, TRACE))}, "w")\n`);
  }
}

async function distrust({ workbench, workspace, done }) {
  const status = await workbench.waitForStatus("ready");
  assert.ok(status.includes("(bundled)"), status);
  done("the bundled server is ready");
  await workbench.squiggle("error").first().waitFor({ state: "attached" });
  done("the file is checked");
  assert.ok(!existsSync(path.join(workspace, TRACE)), "something of the workspace was run");

  await workbench.trust();
  await workbench.waitForMessage('"dllint.path" names');
  assert.ok(existsSync(path.join(workspace, TRACE)), "a trusted workspace's setting counts");
  done("once trusted, the workspace's setting counts");
}

await scenario({ name: NAME, settings: { "dllint.importStrategy": "useBundled" }, trust: true, prepare: lure }, distrust);
