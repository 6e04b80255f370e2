// What concerns more than one line: shapes are offered, the whole workspace is checked, a finding is explained, a training script
// diagnosed; and the walkthrough opens. With --pictures the script is really run, else a report that stands for its run is shown.
import assert from "node:assert/strict";
import { reporting } from "./reporting.mjs";
import { options, scenario } from "./scenario.mjs";

const NAME = "train.py";
const LOSS_LINE = 11;
const HINT = "x: f32[512, 8] = ";
const CURVES = "the curves of the loss";
const ELSEWHERE = "expects 1600 input features";

// With repairs tried, a diagnosis is four runs and more.
const DIAGNOSIS_MS = 200_000;

const isReal = options.pictures !== undefined;

async function whole({ workbench, done, picture }) {
  const { page } = workbench;
  await workbench.waitForStatus("ready");
  await page.locator('[id="dllint.dllint.dllint.bar"]').waitFor();
  done("the server is ready, and the status bar says so");
  await page.keyboard.press("Control+B");

  await workbench.waitForMessage("dllint can show the shapes");
  await page.locator(".notification-toast .monaco-button", { hasText: "Show Shapes" }).click();
  await workbench.waitForText(HINT);
  done("shapes are offered and shown");

  await workbench.command("dllint: Check Workspace");
  await page.keyboard.press("Control+Shift+M");
  await page.locator(".markers-panel .monaco-list-row", { hasText: ELSEWHERE }).first().waitFor();
  done("a finding in a file that is not open is listed");
  await picture("workspace");
  await page.keyboard.press("Control+J");
  await page.locator(".markers-panel").waitFor({ state: "hidden" });

  await workbench.command("View: Focus Active Editor Group");
  await workbench.goTo(LOSS_LINE, 13);
  await workbench.applyAction(() => page.keyboard.press("Control+."), "Show why");
  await workbench.waitForTab("dllint: train.py");
  await workbench.pageText("cross_entropy");
  done("a page says why something was found");
  await picture("why");

  // A page takes the keyboard when it has been drawn.
  await page.locator(".editor-instance .view-line", { hasText: "import torch" }).first().click();
  await page.locator('[id="status.editor.selection"]', { hasText: "Ln 1," }).waitFor();
  await workbench.command("dllint: Diagnose this training script");
  await workbench.waitForMessage("dllint diagnose: ", DIAGNOSIS_MS);
  await workbench.waitForTab("Diagnosis of train.py");
  await workbench.pageText(isReal ? "loss" : CURVES);
  await workbench.squiggle("warning").first().waitFor({ state: "attached" });
  done("a training script is diagnosed: a message, findings on their lines, the report beside them");
  await workbench.command("Notifications: Clear All Notifications");
  await picture("diagnosis");

  await workbench.command("dllint: Get Started");
  const steps = page.locator(".gettingStartedContainer .getting-started-step");
  await steps.nth(4).waitFor();
  const image = page.locator(".gettingStartedContainer .getting-started-media img").first();
  await image.waitFor();
  assert.ok(await image.evaluate(async (shown) => (await shown.decode(), shown.naturalWidth > 0)));
  done("the walkthrough is open, with its picture");
  await picture("walkthrough");
}

const interpreter = isReal ? options.interpreter : reporting({ name: NAME, row: LOSS_LINE, text: CURVES });
const settings = { "dllint.interpreter": [interpreter], "dllint.inlayHints.shapes": undefined };
await scenario({ name: NAME, settings }, whole);
