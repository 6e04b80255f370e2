/** A check of all files of the workspace: the server shows its progress and what it finds. */

import * as vscode from "vscode";

const COMMAND = "dllint.checkWorkspace";

/** Have the server check all files that are not open; those that are open are checked anyway. */
export async function checkWorkspace(): Promise<void> {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) {
    void vscode.window.showInformationMessage("dllint: Open a folder first.");
    return;
  }
  if (!(await vscode.commands.getCommands()).includes(COMMAND)) {
    void vscode.window.showErrorMessage("The dllint server does not run.");
    return;
  }
  await vscode.workspace.saveAll(false);
  await vscode.commands.executeCommand(COMMAND);
}
