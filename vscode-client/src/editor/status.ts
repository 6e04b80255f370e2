/** The status item: what the server is doing, shown beside the language of a Python file. */

import * as vscode from "vscode";
import { commandLine, type Server } from "../discovery/discover";

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("dllint.status", { language: "python" });

  constructor() {
    this.item.name = "dllint";
    this.off();
  }

  starting(): void {
    this.show("dllint: starting", "", vscode.LanguageStatusSeverity.Information);
    this.item.busy = true;
  }

  ready(server: Server, version: string): void {
    const from = `${commandLine(server.candidate)} (${server.candidate.source})`;
    this.show(`dllint ${version}: ready`, from, vscode.LanguageStatusSeverity.Information);
    this.item.command = { title: "Restart", command: "dllint.restart" };
  }

  failed(what: string): void {
    this.show("dllint: not running", what, vscode.LanguageStatusSeverity.Error);
  }

  off(): void {
    this.show("dllint: off", "", vscode.LanguageStatusSeverity.Information);
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(text: string, detail: string, severity: vscode.LanguageStatusSeverity): void {
    this.item.text = text;
    this.item.detail = detail;
    this.item.severity = severity;
    this.item.busy = false;
    this.item.command = { title: "Show Logs", command: "dllint.showLogs" };
  }
}
