/** What the user has in front. */

import * as vscode from "vscode";

/** The notebook in front, be it that one of its cells is edited or none. */
export function notebookInFront(): vscode.NotebookDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  const isInFront = document === undefined || notebook?.getCells().some((cell) => cell.document === document);
  return isInFront ? notebook : undefined;
}

/** The file or notebook in front. */
export function fileInFront(): vscode.Uri | undefined {
  return notebookInFront()?.uri ?? vscode.window.activeTextEditor?.document.uri;
}
