/** Where VS Code enters: the parts are made and tied to the editor's events. */

import * as vscode from "vscode";
import { Channels } from "./editor/channels";
import { fixAll } from "./editor/fixAll";
import { showGraph } from "./editor/graphs";
import { offerHints } from "./editor/offer";
import { onInterpreterChange } from "./editor/pythonExtension";
import { openRule, RulePages } from "./editor/rulePages";
import { runOnFile } from "./editor/runs";
import { Session } from "./editor/session";
import { needsRestart } from "./editor/settings";
import { Status } from "./editor/status";
import { showSummary } from "./editor/summaries";
import { checkWorkspace } from "./editor/workspaceCheck";

/** The walkthrough of the manifest. */
const WALKTHROUGH = "dllint.dllint#start";

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const channels = new Channels();
  const status = new Status();
  const current = new Session(context.extensionUri, channels, status, (followed) => void offerHints(context.globalState, followed));
  session = current;
  const start = (why: string): void => void current.restart(why);
  context.subscriptions.push(
    channels,
    status,
    new RulePages(current).register(),
    ...commands(current, channels, context.extensionUri),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (needsRestart(event)) start("a setting has changed");
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void current.lookAgain();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      start("the workspace is trusted now");
    }),
  );
  // The commands must exist before, and whether or not, a server is found.
  setImmediate(() => {
    start("the editor has opened a Python file or a notebook");
    void followInterpreter(context, current, channels);
  });
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

function commands(current: Session, channels: Channels, extension: vscode.Uri): vscode.Disposable[] {
  const table: Record<string, (...given: unknown[]) => unknown> = {
    "dllint.getStarted": () => vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false),
    "dllint.restart": () => current.restart("it was asked for"),
    "dllint.showLogs": () => {
      channels.log.show();
    },
    "dllint.showServerLogs": () => {
      channels.server.show();
    },
    "dllint.fixAll": fixAll,
    "dllint.checkAll": checkWorkspace,
    "dllint.openRule": openRule,
    "dllint.bisectFile": () => runOnFile("dllint.bisect", channels.log),
    "dllint.diagnoseFile": () => runOnFile("dllint.diagnose", channels.log),
    "dllint.showGraph": (address, model) => showGraph(extension, address, model),
    "dllint.showSummary": (address, model) => showSummary(extension, address, model),
    "dllint.clearFindings": () => vscode.commands.executeCommand("dllint.clearRuns"),
  };
  return Object.entries(table).map(([name, action]) => vscode.commands.registerCommand(name, action));
}

async function followInterpreter(context: vscode.ExtensionContext, current: Session, channels: Channels): Promise<void> {
  try {
    const following = await onInterpreterChange(() => void current.interpreterChanged());
    if (following !== undefined) context.subscriptions.push(following);
  } catch (error) {
    channels.log.warn(`Changes of the interpreter are not followed: ${String(error)}`);
  }
}
