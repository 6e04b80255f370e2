/** All fixes that may be applied unasked, to the file or the notebook in front. */

import * as vscode from "vscode";
import { notebookInFront } from "./front";

const OF_FILE = "source.fixAll.dllint";
const OF_NOTEBOOK = "notebook.source.fixAll.dllint";

export async function fixAll(): Promise<void> {
  const notebook = notebookInFront();
  if (notebook === undefined) await vscode.commands.executeCommand("editor.action.codeAction", { kind: OF_FILE, apply: "first" });
  else await fixNotebook(notebook);
}

// Whichever cell is asked, the answer is about the whole notebook; the editor's own command would need one that is edited.
async function fixNotebook(notebook: vscode.NotebookDocument): Promise<void> {
  const document = notebook.getCells().find((cell) => cell.document.languageId === "python")?.document;
  if (document === undefined) return;
  const start = new vscode.Range(0, 0, 0, 0);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    start,
    OF_NOTEBOOK,
    1,
  );
  const edit = actions.find(({ kind }) => kind?.value === OF_NOTEBOOK)?.edit;
  if (edit !== undefined) await vscode.workspace.applyEdit(edit);
}
