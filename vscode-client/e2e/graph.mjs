// The graph of a model: offered above it, drawn beside it, opened and closed by keys; it leads to the lines.
import assert from "node:assert/strict";
import { options, scenario } from "./scenario.mjs";

const NAME = "blocks.py";
const FIGURES = "400,010 parameters · out f32[8, 10]";
const HEAD_LINE = 20;

async function graph({ workbench, done, picture }) {
  const { page } = workbench;
  await workbench.waitForStatus("ready");
  done("the server is ready");
  await page.keyboard.press("Control+B");

  const lens = (text) => page.locator(".codelens-decoration", { hasText: text }).first();
  await lens(FIGURES).waitFor();
  done("the lens has the figures of the model");
  await workbench.command("Explorer: Focus on Outline View");
  await page.locator(".outline-tree .monaco-list-row", { hasText: "Block" }).first().waitFor();
  await page.locator(".outline-tree .monaco-list-row", { hasText: "mix: Sequential" }).first().waitFor();
  done("the outline has the layers");
  await picture("lens");
  await page.keyboard.press("Control+B");

  await lens(FIGURES).locator("a", { hasText: "Show graph" }).click();
  await workbench.waitForTab("Graph of Net");
  const frame = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  const item = (title) => frame.locator(`[role=treeitem][aria-label^="${title}"]`);
  await item("0: Block × 12").waitFor();
  done("the graph is drawn");
  assert.match(await item("head: Linear").getAttribute("aria-label"), /takes f32\[8, 64\] from blocks: Sequential; wrong: DLT101/);
  await picture("graph");

  await item("0: Block × 12").focus();
  await page.keyboard.press("ArrowLeft");
  await item("norm: LayerNorm").waitFor({ state: "detached" });
  assert.equal(await item("0: Block × 12").evaluate((box) => box === box.ownerDocument.activeElement), true);
  await page.keyboard.press("ArrowRight");
  await item("norm: LayerNorm").waitFor();
  done("keys close and open a block");

  await item("head: Linear").focus();
  await page.keyboard.press("Enter");
  await page.locator('[id="status.editor.selection"]', { hasText: `Ln ${HEAD_LINE},` }).waitFor();
  done("a key leads to the line");
  await item("stem: Linear").click({ position: { x: 4, y: 4 } });
  await page.locator('[id="status.editor.selection"]', { hasText: `Ln ${HEAD_LINE - 2},` }).waitFor();
  done("a click leads to the line");
  await workbench.command("dllint: Show Graph of Model", "Block");
  await workbench.waitForTab("Graph of Block");
  done("the palette lets choose among several models");
}

const settings = { "dllint.interpreter": [options.interpreter] };
await scenario({ name: NAME, settings }, graph);
