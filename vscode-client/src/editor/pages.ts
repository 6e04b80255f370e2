/** Pages of the server, shown beside the code. They run nothing and fetch nothing. */

import * as vscode from "vscode";

/** What a command of the server answers that makes a page. */
interface Page {
  readonly title: string;
  readonly html: string;
}

/** Show the answer of a command if it is a page; the answer itself. */
export function shown(answer: unknown): unknown {
  if (isPage(answer)) {
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("dllint.page", answer.title, beside, { enableScripts: false, localResourceRoots: [] });
    panel.webview.html = answer.html;
  }
  return answer;
}

function isPage(answer: unknown): answer is Page {
  const page = answer as Partial<Page> | null | undefined;
  return typeof page?.title === "string" && typeof page.html === "string";
}
