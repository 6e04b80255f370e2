// The workbench in a browser, as its user sees it: every step waits for what it causes, nothing sleeps.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { browser, browserArguments } from "./browser.mjs";

// A busy machine with two cores is slow, and a test that is slow is not a test that fails.
const PATIENCE = 90_000;

// For this long a menu that was asked for is waited for, then it is asked for again: as it opens, the workbench closes it
// when findings arrive, and it shows what was known when it was asked for.
const MENU_PATIENCE = 15_000;

/** Open `file`, which lies in the workspace: a folder, or a file of one with several folders. */
export async function openWorkbench(server, { workspace, file, viewport = { width: 1000, height: 620 } }) {
  const profile = mkdtempSync(path.join(tmpdir(), "dllint-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser(),
    headless: true,
    args: browserArguments(),
    viewport,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = context.pages()[0] ?? (await context.newPage());
  const payload = JSON.stringify([["openFile", `vscode-remote://${server.authority}${file}`]]);
  const kind = workspace.endsWith(".code-workspace") ? "workspace" : "folder";
  const query = new URLSearchParams({ [kind]: workspace, payload });
  await page.goto(`${server.base}/?${query.toString().replaceAll("+", "%20")}`, { waitUntil: "domcontentloaded" });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return new Workbench(page, close);
}

/** A code cell of a notebook, with an editor of its own; it lies above the editor's tab, not in it. */
const CELL = ".notebookOverlay .cell-list-container .code-cell-row";

/** What a line shows; inlay hints are part of it. */
const lineText = (element) => element.textContent.replace(/\u00a0/g, " ").replace(/[\u200b\u200c]/g, "");

export class Workbench {
  constructor(page, close) {
    this.page = page;
    this.close = close;
    this.console = [];
    page.on("console", (message) => this.console.push(`${message.type()} ${message.text()}`));
    page.on("pageerror", (error) => this.console.push(`error ${error}`));
  }

  /** Until the file is open and its text is shown. */
  async waitForEditor(name) {
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
    await this.page.waitForSelector(".editor-instance .monaco-editor .view-line");
  }

  /** Until the language status tells `text`; returns the whole of what it tells. */
  async waitForStatus(text) {
    const item = this.page.locator(`[id="status.languageStatus"][aria-label*="${text}"]`);
    await item.waitFor({ state: "attached" });
    return item.getAttribute("aria-label");
  }

  async waitForText(text) {
    await this.page.waitForFunction(
      ([wanted, textOf]) => {
        const read = new Function(`return ${textOf}`)();
        return [...document.querySelectorAll(".editor-instance .view-lines .view-line")].some((line) => read(line).includes(wanted));
      },
      [text, lineText.toString()],
    );
  }

  squiggle(severity) {
    return this.page.locator(`.editor-instance .squiggly-${severity}`);
  }

  /** Open a file from the explorer. */
  async open(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).dblclick();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
  }

  /** Open a notebook from the explorer; what the workbench is told to open when it starts is shown as text. */
  async openNotebook(name) {
    await this.open(name);
    await this.page.locator(`${CELL} .view-line`).first().waitFor();
  }

  /** The code cell of a notebook whose text has `text`. */
  cell(text) {
    return this.page.locator(CELL, { has: this.page.locator(".view-line", { hasText: text }) });
  }

  /** Put the cursor into a line of a cell and apply one of the quick fixes there. */
  async quickFixInCell(cell, line, title, beforeApplying) {
    const ask = async () => {
      await cell.locator(".view-line", { hasText: line }).first().click();
      await cell.locator(".monaco-editor.focused").waitFor();
      await this.page.keyboard.press("Control+.");
    };
    await this.applyAction(ask, title, beforeApplying);
  }

  /** The rows of the Problems view: what a screen reader tells, and the text, which has the code. */
  async problems() {
    await this.page.keyboard.press("Control+Shift+M");
    const rows = this.page.locator(".markers-panel .monaco-list-row[aria-label]");
    await rows.nth(1).waitFor();
    const labels = await rows.evaluateAll((found) => found.map((row) => `${row.getAttribute("aria-label")} | ${row.textContent}`));
    await this.page.keyboard.press("Control+J");
    await rows.first().waitFor({ state: "hidden" });
    await this.command("View: Focus Active Editor Group");
    return labels;
  }

  /** Run a command by its title; of the rows that it then offers, take that which has the text `choice`. */
  async command(title, choice) {
    await this.page.keyboard.press("F1");
    await this.fillQuickInput(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
    if (choice !== undefined) await this.page.locator(".quick-input-list .monaco-list-row", { hasText: choice }).first().click();
    await this.page.locator(".quick-input-widget").first().waitFor({ state: "hidden" });
  }

  async fillQuickInput(text) {
    const input = this.page.locator(".quick-input-widget input").first();
    await input.waitFor();
    await input.fill(text);
  }

  async goTo(line, column) {
    await this.page.keyboard.press("Control+G");
    await this.fillQuickInput(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").first().waitFor({ state: "hidden" });
    await this.page.locator('[id="status.editor.selection"]', { hasText: `Ln ${line}, Col ${column}` }).waitFor();
  }

  /** The text of the hover at the cursor, once it contains `text`. */
  async hover(text) {
    await this.page.keyboard.press("Control+K");
    await this.page.keyboard.press("Control+I");
    const widget = this.page.locator(".monaco-resizable-hover", { hasText: text }).first();
    await widget.waitFor();
    return (await widget.innerText()).replace(/\u00a0/g, " ");
  }

  /** Open the quick fixes at the cursor by a click on the light bulb and apply the one with this title. */
  async quickFix(title, beforeApplying = async () => undefined) {
    await this.applyAction(() => this.page.locator(".lightBulbWidget").click(), title, beforeApplying);
  }

  /** Ask for the menu of actions, until it has the action `title`, and apply that. */
  async applyAction(ask, title, beforeApplying = async () => undefined) {
    const row = this.page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
    await this.askUntilShown(ask, row);
    await this.focusRow(row);
    await beforeApplying();
    // Not a click: a pane that catches outside clicks lies above the menu.
    await this.page.keyboard.press("Enter");
  }

  async askUntilShown(ask, row) {
    for (const end = Date.now() + PATIENCE; ; ) {
      await ask();
      try {
        return await row.waitFor({ timeout: MENU_PATIENCE });
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  async focusRow(row) {
    for (let i = 0; i < 20; i++) {
      const classes = (await row.getAttribute("class")) ?? "";
      if (classes.split(/\s+/).includes("focused")) return;
      await this.page.keyboard.press("ArrowDown");
    }
    throw new Error("the row cannot be focused");
  }

  async save(name) {
    await this.page.keyboard.press("Control+S");
    await this.page.waitForSelector(`.tab.active:not(.dirty)[data-resource-name="${name}"]`);
  }

  /** Until the visible panel, an output channel say, has `count` lines with `text`. */
  async waitForPanelText(text, count = 1) {
    await this.page.locator(".part.panel .view-line", { hasText: text }).nth(count - 1).waitFor();
  }

  /** Until there is a tab whose title has `text`. */
  async waitForTab(text) {
    await this.page.locator(".tab", { hasText: text }).first().waitFor();
  }

  /** Until a message with `text` is shown. */
  async waitForMessage(text, timeout = PATIENCE) {
    await this.page.locator(".notification-toast", { hasText: text }).first().waitFor({ timeout });
  }

  /** Until a page of ours, in a frame of its own, has `text`. */
  async pageText(text) {
    const frame = this.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    await frame.locator("body", { hasText: text }).waitFor({ state: "attached" });
  }

  /** Trust the workspace. */
  async trust() {
    await this.command("Workspaces: Manage Workspace Trust");
    await this.page.locator(".workspace-trust-editor .monaco-button", { hasText: "Trust" }).first().click();
  }

  /** A picture, once whatever fades in has done so. */
  async picture(file, clip) {
    const still = () => document.getAnimations().every((animation) => animation.playState !== "running" || animation.effect?.getComputedTiming().iterations === Infinity);
    await this.page.waitForFunction(still, null, { timeout: 3000 }).catch(() => undefined);
    await this.page.screenshot({ path: file, ...(clip ? { clip } : {}) });
  }
}
