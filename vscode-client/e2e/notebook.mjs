// A notebook: the squiggle is in the cell with the fault, its fix changes another cell, and both are saved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { options, scenario } from "./scenario.mjs";

const NAME = "train.ipynb";
const LAYER = "net = nn.Linear(16, 10)";
const CALL = "out = net(torch.randn(8, 12))";
const FIX = { title: "Set in_features to 12", after: "net = nn.Linear(12, 10)" };
const LOGS = { before: "torch.log(torch.softmax(out * 1000, dim=1))", after: "torch.log_softmax(out * 1000, dim=1)" };

async function notebook({ workbench, workspace, done, picture }) {
  await workbench.waitForStatus("ready");
  await workbench.openNotebook(NAME);
  done("the server is ready, the notebook open");

  const squiggles = (text) => workbench.cell(text).locator(".squiggly-error");
  await squiggles(CALL).first().waitFor({ state: "attached" });
  assert.equal(await squiggles(CALL).count(), 1);
  assert.equal(await squiggles(LAYER).count(), 0);
  done("the squiggle is in the cell of the call");
  await picture("notebook");

  await workbench.quickFixInCell(workbench.cell(CALL), CALL, FIX.title, () => picture("notebook-fix"));
  await workbench.cell(FIX.after).waitFor();
  await squiggles(CALL).first().waitFor({ state: "detached" });
  done("the fix has changed the cell of the layer, and the squiggle is gone");

  await workbench.command("dllint: Fix All in File");
  await workbench.cell(LOGS.after).waitFor();
  done("fix all has changed another cell than that of the cursor");

  const file = path.join(workspace, NAME);
  const faulty = JSON.parse(readFileSync(file, "utf8"));
  await workbench.save(NAME);
  const sources = (data) => data.cells.map(({ source }) => [source].flat().join(""));
  const repaired = sources(JSON.parse(readFileSync(file, "utf8")));
  assert.deepEqual(repaired, sources(faulty).map((source) => source.replace(LAYER, FIX.after).replace(LOGS.before, LOGS.after)));
  done("the notebook on disk is repaired");
}

await scenario({ name: "policy.py", settings: { "dllint.interpreter": [options.interpreter] } }, notebook);
