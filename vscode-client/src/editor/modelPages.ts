/** What pages about models have in common: the server makes them, they stand beside the source and lead to its lines. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Frame } from "../page/frame";
import { type Wish, wishOf } from "../page/keys";

/** What is asked of the server, what the page runs, and how it is called. */
export interface Kind {
  readonly command: string;
  readonly script: string;
  readonly name: string;
}

/** The file with a model: that which a lens names, else the file in front; the user is told if there is none. */
export function fileOf(address: unknown): vscode.Uri | undefined {
  if (typeof address === "string") return vscode.Uri.parse(address, true);
  const front = vscode.window.activeTextEditor?.document.uri;
  if (front === undefined) void vscode.window.showInformationMessage("dllint: Open the file with the model first.");
  return front;
}

/** What the server answers about a model of a file, if it runs and knows the model. */
export async function ask<T>(kind: Kind, uri: vscode.Uri, ...given: readonly unknown[]): Promise<T | undefined> {
  if (!(await vscode.commands.getCommands()).includes(kind.command)) return undefined;
  return (await vscode.commands.executeCommand<T | null>(kind.command, uri.toString(), ...given)) ?? undefined;
}

/** A model of a file, as the server lists them. */
interface Listed {
  readonly model: string;
  readonly name: string;
  readonly detail: string;
  readonly line: number;
}

const LIST = "dllint.models";

/** The model that a lens names, else the only one of the file, else that which the user picks; `undefined` if none is picked. */
export async function modelOf(kind: Kind, uri: vscode.Uri, named: unknown): Promise<string | undefined> {
  if (typeof named === "string") return named;
  if (!(await vscode.commands.getCommands()).includes(LIST)) return "";
  const models = (await vscode.commands.executeCommand<Listed[] | null>(LIST, uri.toString())) ?? [];
  if (models.length < 2) return models[0]?.model ?? "";
  const rows = models.map(({ model, name, detail, line }) => ({ label: name, description: `line ${String(line + 1)}`, detail, model }));
  const title = `dllint: ${kind.name} of Model`;
  return (await vscode.window.showQuickPick(rows.reverse(), { title, placeHolder: "Choose a model", matchOnDetail: true }))?.model;
}

export function sayNone(): void {
  void vscode.window.showInformationMessage("dllint: No model was found here.");
}

/** A page beside the source; it is told when the file has been saved, and of what the user wants besides going to a line. */
export class ModelPage {
  private readonly panel: vscode.WebviewPanel;

  constructor(
    kind: Kind,
    extension: vscode.Uri,
    private readonly uri: vscode.Uri,
    title: string,
    html: (frame: Frame) => string,
    news: { readonly saved: () => unknown; readonly wished?: (wish: Wish) => unknown },
  ) {
    const scripts = vscode.Uri.joinPath(extension, "dist");
    const places = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false };
    this.panel = vscode.window.createWebviewPanel(kind.command, `${kind.name} of ${title}`, places, {
      enableScripts: true,
      localResourceRoots: [scripts],
      retainContextWhenHidden: true,
    });
    const { webview } = this.panel;
    const script = webview.asWebviewUri(vscode.Uri.joinPath(scripts, kind.script)).toString();
    webview.html = html({ script, source: webview.cspSource, nonce: randomBytes(16).toString("hex") });
    const watching = [
      webview.onDidReceiveMessage(async (message: unknown) => {
        const wish = wishOf(message);
        if (wish?.kind === "go") await goTo(this.uri, wish.line);
        else if (wish !== undefined) news.wished?.(wish);
      }),
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved.uri.toString() === this.uri.toString()) news.saved();
      }),
    ];
    this.panel.onDidDispose(() => {
      for (const one of watching) one.dispose();
    });
  }

  async tell(message: unknown): Promise<void> {
    await this.panel.webview.postMessage(message);
  }
}

async function goTo(uri: vscode.Uri, line: number): Promise<void> {
  const place = new vscode.Position(line - 1, 0);
  const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const viewColumn = open?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(uri, { viewColumn, selection: new vscode.Range(place, place) });
}
