/** What the user has in front. */

import * as vscode from "vscode";

/** The notebook whose cell is edited, if it is one. */
export function notebookInFront(): vscode.NotebookDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  return notebook?.getCells().some((cell) => cell.document === document) ? notebook : undefined;
}

/** The file that is edited. */
export function fileInFront(): vscode.Uri | undefined {
  return notebookInFront()?.uri ?? vscode.window.activeTextEditor?.document.uri;
}
