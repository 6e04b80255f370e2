// The end-to-end test: a faulty program is opened, the finding seen, its fix applied and saved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { options, scenario } from "./scenario.mjs";

const NAME = "net.py";
const FAULT = { code: "DLT101", message: "`self.fc` expects 1600 input features, but its input has 2304", line: 14, column: 16 };
const FIX = { title: "Set in_features to 2304", before: "nn.Linear(1600, 10)", after: "nn.Linear(2304, 10)" };
const SHAPE = { line: 13, column: 9, text: "f32[8, 16, 12, 12]" };
const HINT = "x: f32[8, 16, 12, 12] = ";

async function repair({ workbench, file, done, picture }) {
  const { page } = workbench;
  assert.match(await workbench.waitForStatus("ready"), /dllint \d+\.\d+\.\d+: ready/);
  done("the server is ready");

  await page.keyboard.press("Control+B");
  await workbench.waitForText(HINT);
  done("inlay hints show the shapes");
  await workbench.squiggle("error").first().waitFor({ state: "attached" });
  assert.equal(await workbench.squiggle("error").count(), 1);
  done("one squiggle");
  const problems = await workbench.problems();
  assert.ok(problems.some((row) => row.includes(FAULT.message) && row.includes(FAULT.code)), JSON.stringify(problems));
  done("the Problems view has the finding with its code");

  await workbench.goTo(SHAPE.line, SHAPE.column);
  await workbench.hover(SHAPE.text);
  done("the hover shows the tensor's shape");
  await picture("hover");
  await page.keyboard.press("Escape");

  await workbench.goTo(FAULT.line, FAULT.column);
  const explained = await workbench.hover(FAULT.message);
  assert.ok(explained.includes(FAULT.code), explained);
  done("the hover on the squiggle explains the finding");
  await picture("finding");
  await page.keyboard.press("Escape");

  await workbench.quickFix(FIX.title, () => picture("quick-fix"));
  await workbench.waitForText(FIX.after);
  await workbench.squiggle("error").first().waitFor({ state: "detached" });
  done("the fix is applied and the squiggle gone");
  const faulty = readFileSync(file, "utf8");
  await workbench.save(NAME);
  assert.equal(readFileSync(file, "utf8"), faulty.replace(FIX.before, FIX.after));
  done("the file on disk is repaired");

  await workbench.command("dllint: Restart Server");
  await workbench.command("dllint: Show Logs");
  await workbench.waitForPanelText("Starting: it was asked for.");
  await workbench.waitForPanelText("Ready.", 2);
  done("the server restarts on command, and the log says so");
}

const settings = { "dllint.interpreter": [options.interpreter], "dllint.inlayHints.shapes": true };
await scenario({ name: NAME, settings }, repair);
