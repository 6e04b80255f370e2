// The summary of a model: offered above it, shown as a table beside it, folded by keys; it leads to the lines, and follows the file.
import assert from "node:assert/strict";
import { options, scenario } from "./scenario.mjs";

const NAME = "blocks.py";
const HEAD_LINE = 20;
const BEHIND_WIDTH = "        self.head = nn.Linear(32".length + 1;

async function summary({ workbench, done, picture }) {
  const { page } = workbench;
  await workbench.waitForStatus("ready");
  await page.keyboard.press("Control+B");
  await page.locator(".codelens-decoration a", { hasText: "Show summary" }).last().click();
  await workbench.waitForTab("Summary of Net");
  const frame = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  const row = (path) => frame.locator(`tr[data-key="${path}"]`);
  await row("blocks.0").waitFor();
  done("the table is shown");
  assert.match(await row("head").getAttribute("aria-label"), /^head: Linear; Input f32\[8, 64\].* wrong: DLT101 /);
  assert.match(await row("blocks.0").innerText(), /0 … 11: Block \(12 alike, each\)/);
  assert.equal(await frame.locator("section", { hasText: "Totals" }).first().isVisible(), true);
  await picture("summary");

  await row("blocks").locator(".toggle").click();
  await row("blocks.0").waitFor({ state: "hidden" });
  done("a click closes a row");
  await page.keyboard.press("ArrowRight");
  await row("blocks.0").waitFor();
  await page.keyboard.press("ArrowLeft");
  await row("blocks.0").waitFor({ state: "hidden" });
  await page.keyboard.press("ArrowDown");
  assert.equal(await row("head").evaluate((one) => one === one.ownerDocument.activeElement), true);
  done("keys open and close a row, and pass over what is hidden");

  await page.keyboard.press("Enter");
  await page.locator('[id="status.editor.selection"]', { hasText: `Ln ${HEAD_LINE},` }).waitFor();
  done("a key leads to the line");
  await row("stem").click();
  await page.locator('[id="status.editor.selection"]', { hasText: `Ln ${HEAD_LINE - 2},` }).waitFor();
  done("a click leads to the line");

  await workbench.goTo(HEAD_LINE, BEHIND_WIDTH);
  for (let i = 0; i < 2; i++) await page.keyboard.press("Backspace");
  await page.keyboard.type("64");
  await workbench.save(NAME);
  await frame.locator('tr[data-key="head"]:not([aria-label*="wrong"])').waitFor();
  assert.equal(await row("blocks.0").isVisible(), false);
  done("saving makes the table anew");

  await page.locator(".tab", { hasText: NAME }).first().click();
  await workbench.command("dllint: Show Summary of Model", "Net");
  await page.locator(".tab", { hasText: "Summary of Net" }).nth(1).waitFor();
  done("the palette has it, too");
  await page.locator(".tab", { hasText: NAME }).first().click();
  await workbench.command("dllint: Show Summary of Model", "Block");
  await workbench.waitForTab("Summary of Block");
  done("the palette lets choose among several models");
}

const settings = { "dllint.interpreter": [options.interpreter] };
await scenario({ name: NAME, settings }, summary);
