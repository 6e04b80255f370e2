// The end-to-end test: a faulty program is opened, the finding seen, its fix applied and saved.
// Usage: node repair.mjs --vsix FILE --interpreter PYTHON [--pictures FOLDER]
// Prints one JSON object: the seconds after which each step was done, and the error if there was one. Exit code 0 or 1.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startCodeServer } from "./codeServer.mjs";
import { openWorkbench } from "./workbench.mjs";

const { values: options } = parseArgs({
  options: { vsix: { type: "string" }, interpreter: { type: "string" }, pictures: { type: "string" } },
});

const NAME = "net.py";
const FAULT = { code: "DLT101", message: "`self.fc` expects 1600 input features, but its input has 2304", line: 14, column: 16 };
const FIX = { title: "Set in_features to 2304", before: "nn.Linear(1600, 10)", after: "nn.Linear(2304, 10)" };
const SHAPE = { line: 13, column: 9, text: "f32[8, 16, 12, 12]" };
const HINT = "x: f32[8, 16, 12, 12] = ";

async function repair(workbench, file, done, picture) {
  const { page } = workbench;
  await workbench.waitForEditor(NAME);
  done("the file is open");
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

async function main() {
  const began = Date.now();
  const report = { steps: {}, error: null };
  const done = (step) => {
    report.steps[step] = Number(((Date.now() - began) / 1000).toFixed(2));
  };
  const root = mkdtempSync(path.join(tmpdir(), "dllint-e2e-"));
  const workspace = path.join(root, "workspace");
  const file = path.join(workspace, NAME);
  mkdirSync(workspace);
  copyFileSync(path.join(import.meta.dirname, "program", NAME), file);
  const pictures = options.pictures ?? path.join(root, "pictures");
  mkdirSync(pictures, { recursive: true });
  let server, workbench;
  try {
    const settings = { "dllint.interpreter": [options.interpreter], "dllint.inlayHints.shapes": true };
    server = await startCodeServer({ root, workspace, extensions: [path.resolve(options.vsix)], settings });
    done("code-server runs, with the extension");
    workbench = await openWorkbench(server, { workspace, file });
    await repair(workbench, file, done, (name) => workbench.picture(path.join(pictures, `${name}.png`)));
  } catch (error) {
    report.error = error.stack ?? String(error);
    report.kept = root;
    await workbench?.picture(path.join(pictures, "failure.png"));
    writeFileSync(path.join(root, "console.txt"), (workbench?.console ?? []).join("\n"));
  }
  await workbench?.close();
  await server?.stop();
  if (report.error === null) rmSync(root, { recursive: true, force: true });
  console.log(JSON.stringify(report, null, 1));
  process.exit(report.error === null ? 0 : 1);
}

await main();
