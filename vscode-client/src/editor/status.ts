/** The status item: what the server is doing, and what the findings in the file in front rest on. */

import * as vscode from "vscode";
import { commandLine, type Server } from "../discovery/discover";
import { type Followed, label } from "../followed";
import { Bar, type Mood } from "./bar";
import { fileInFront } from "./front";

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("dllint.status", { language: "python" });
  private readonly bar = new Bar();
  private readonly followed = new Map<string, Followed>();
  private readonly listeners = [
    vscode.window.onDidChangeActiveTextEditor(() => {
      this.refresh();
      this.bar.follow();
    }),
    vscode.window.onDidChangeActiveNotebookEditor(() => {
      this.bar.follow();
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      this.followed.delete(document.uri.toString());
    }),
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      this.followed.delete(notebook.uri.toString());
    }),
  ];
  private readyTexts: { text: string; detail: string } | undefined;

  constructor() {
    this.item.name = "dllint";
    this.off();
  }

  starting(): void {
    this.show("starting", "dllint: starting", "", vscode.LanguageStatusSeverity.Information);
    this.item.busy = true;
  }

  ready(server: Server, version: string): void {
    const detail = `${commandLine(server.candidate)} (${server.candidate.source})`;
    const texts = { text: `dllint ${version}: ready`, detail };
    this.show("ready", texts.text, detail, vscode.LanguageStatusSeverity.Information);
    this.item.command = { title: "Restart", command: "dllint.restart" };
    this.readyTexts = texts;
    this.refresh();
  }

  /** The server has told what it has followed of a file. */
  tell(followed: Followed): void {
    this.followed.set(followed.uri, followed);
    this.refresh();
  }

  failed(what: string): void {
    this.show("failed", "dllint: not running", what, vscode.LanguageStatusSeverity.Error);
  }

  off(): void {
    this.show("off", "dllint: off", "", vscode.LanguageStatusSeverity.Information);
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.item.dispose();
    this.bar.dispose();
  }

  // While the server is ready, its texts are followed by those about the file in front.
  private refresh(): void {
    if (this.readyTexts === undefined) return;
    const { text, detail } = this.readyTexts;
    const followed = this.followed.get(fileInFront()?.toString() ?? "");
    this.item.text = followed === undefined ? text : `${text}, ${label(followed)}`;
    this.item.detail = followed === undefined ? detail : `${followed.text} ${detail}`;
    this.bar.show("ready", this.item.text, this.item.detail);
  }

  private show(mood: Mood, text: string, detail: string, severity: vscode.LanguageStatusSeverity): void {
    this.readyTexts = undefined;
    this.item.text = text;
    this.item.detail = detail;
    this.item.severity = severity;
    this.item.busy = false;
    this.item.command = { title: "Show Logs", command: "dllint.showLogs" };
    this.bar.show(mood, text, detail);
  }
}
