/** Runs of the user's code that the server starts on demand: they show their progress and findings themselves. */

import * as vscode from "vscode";
import { within } from "../within";
import { activeInterpreter } from "./pythonExtension";
import { interpreterFor } from "./settings";

export type RunCommand = "dllint.bisect" | "dllint.diagnose";

const RUNS: readonly string[] = ["dllint.bisect", "dllint.diagnose"] satisfies RunCommand[];
const PATIENCE_MS = 10_000;

/** Run the file of the active editor, as it is once saved, in the interpreter of the settings or of the Python extension. */
export async function runOnFile(command: RunCommand, log: vscode.LogOutputChannel): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("dllint: Open the file to run first.");
    return;
  }
  if (isRefused(command)) return;
  if (document.isDirty && !(await document.save())) return;
  if (!(await vscode.commands.getCommands()).includes(command)) {
    void vscode.window.showErrorMessage("The dllint server does not run.");
    return;
  }
  const python = await interpreter(document.uri, log);
  log.info(`Running ${command} on ${document.uri.fsPath} with ${python.join(" ") || "the interpreter of the server"}`);
  await vscode.commands.executeCommand(command, document.uri.toString(), [], python);
}

/** Whether a command would run code of a workspace that is not trusted; the user is told. */
export function isRefused(command: string): boolean {
  if (vscode.workspace.isTrusted || !RUNS.includes(command)) return false;
  void vscode.window.showWarningMessage("dllint: Nothing is run in a workspace that you do not trust.");
  return true;
}

// Empty: the server takes its own.
async function interpreter(file: vscode.Uri, log: vscode.LogOutputChannel): Promise<string[]> {
  const own = interpreterFor(file);
  if (own.length > 0) return own;
  try {
    const chosen = await within(PATIENCE_MS, activeInterpreter(file));
    return chosen === undefined ? [] : [chosen];
  } catch (error) {
    log.warn(`The Python extension does not say which interpreter it has chosen: ${String(error)}`);
    return [];
  }
}
