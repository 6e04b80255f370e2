/** The item in the status bar while a Python file or a notebook is in front: one look tells whether dllint works. */

import * as vscode from "vscode";
import { notebookInFront } from "./front";

export type Mood = "starting" | "ready" | "failed" | "off";

const ICONS: Record<Mood, string> = { starting: "$(loading~spin)", ready: "$(check)", failed: "$(error)", off: "" };
/** To the left of the language, which most extensions stand around. */
const PRIORITY = 99;

export class Bar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("dllint.bar", vscode.StatusBarAlignment.Right, PRIORITY);
  private mood: Mood = "off";

  constructor() {
    this.item.name = "dllint";
    this.item.command = { title: "Commands", command: "workbench.action.quickOpen", arguments: [">dllint: "] };
  }

  /** Show how the server is; `text` and `detail` are what a hover says. */
  show(mood: Mood, text: string, detail: string): void {
    this.mood = mood;
    const told = [text, detail].filter((line) => line !== "").join("\n\n");
    this.item.text = `${ICONS[mood]} dllint`.trim();
    this.item.tooltip = told;
    this.item.accessibilityInformation = { label: told.replaceAll("\n\n", ", ") };
    this.item.backgroundColor = mood === "failed" ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    this.follow();
  }

  /** Something else is in front. */
  follow(): void {
    const isOurs = vscode.window.activeTextEditor?.document.languageId === "python" || notebookInFront() !== undefined;
    if (isOurs && this.mood !== "off") this.item.show();
    else this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}
