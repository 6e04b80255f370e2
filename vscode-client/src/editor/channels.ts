/** Where the extension and its server write. */

import * as vscode from "vscode";

export class Channels implements vscode.Disposable {
  /** What the extension does: which servers it tried, why it restarted. */
  readonly log = vscode.window.createOutputChannel("dllint", { log: true });
  /** What the server writes: its log messages and its standard error. */
  readonly server = vscode.window.createOutputChannel("dllint Language Server");
  /** The messages between the two. */
  readonly trace = new LazyChannel("dllint Trace");

  dispose(): void {
    this.log.dispose();
    this.server.dispose();
    this.trace.dispose();
  }
}

/** A channel that is not in the editor's list before something is written to it. */
class LazyChannel implements vscode.OutputChannel {
  private made: vscode.OutputChannel | undefined;

  constructor(readonly name: string) {}

  append(value: string): void {
    this.channel.append(value);
  }

  appendLine(value: string): void {
    this.channel.appendLine(value);
  }

  replace(value: string): void {
    this.channel.replace(value);
  }

  clear(): void {
    this.made?.clear();
  }

  show(): void {
    this.channel.show(true);
  }

  hide(): void {
    this.made?.hide();
  }

  dispose(): void {
    this.made?.dispose();
  }

  private get channel(): vscode.OutputChannel {
    this.made ??= vscode.window.createOutputChannel(this.name);
    return this.made;
  }
}
