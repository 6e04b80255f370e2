/** Where the extension and its server write. */

import * as vscode from "vscode";

export class Channels implements vscode.Disposable {
  /** What the extension does: which servers it tried, why it restarted. */
  readonly log = vscode.window.createOutputChannel("dllint", { log: true });
  /** What the server writes: its log messages and its standard error. */
  readonly server = vscode.window.createOutputChannel("dllint Language Server");
  private traceChannel: vscode.OutputChannel | undefined;

  /** The messages between the two; the channel appears when it is first needed. */
  get trace(): vscode.OutputChannel {
    this.traceChannel ??= vscode.window.createOutputChannel("dllint Trace");
    return this.traceChannel;
  }

  dispose(): void {
    this.log.dispose();
    this.server.dispose();
    this.traceChannel?.dispose();
  }
}
