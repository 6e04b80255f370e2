/** Graphs of models beside their source, drawn by the server. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { Folding } from "../graph/folding";
import { type Redrawn, wishOf } from "../graph/keys";
import { type Drawn, page } from "../graph/page";

const COMMAND = "dllint.graph";
const SCRIPT = ["dist", "graph.js"];

/** Show the graph of a model: of that which a lens names, else of the last one of the file in front. */
export async function showGraph(extension: vscode.Uri, address?: unknown, model?: unknown): Promise<void> {
  const uri = typeof address === "string" ? vscode.Uri.parse(address, true) : vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) {
    void vscode.window.showInformationMessage("dllint: Open the file with the model first.");
    return;
  }
  const drawn = await draw(uri, typeof model === "string" ? model : "", new Folding());
  if (drawn === undefined) {
    void vscode.window.showInformationMessage("dllint: No model was found here.");
    return;
  }
  new GraphPanel(extension, uri, drawn);
}

async function draw(uri: vscode.Uri, model: string, folding: Folding): Promise<Drawn | undefined> {
  if (!(await vscode.commands.getCommands()).includes(COMMAND)) return undefined;
  const { opened, closed } = folding;
  return (await vscode.commands.executeCommand<Drawn | null>(COMMAND, uri.toString(), model, opened, closed)) ?? undefined;
}

class GraphPanel {
  private readonly folding = new Folding();
  private readonly panel: vscode.WebviewPanel;
  private readonly model: string;

  constructor(
    extension: vscode.Uri,
    private readonly uri: vscode.Uri,
    drawn: Drawn,
  ) {
    this.model = drawn.model;
    const places = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false };
    const scripts = vscode.Uri.joinPath(extension, "dist");
    this.panel = vscode.window.createWebviewPanel("dllint.graph", `Graph of ${drawn.title}`, places, {
      enableScripts: true,
      localResourceRoots: [scripts],
      retainContextWhenHidden: true,
    });
    const { webview } = this.panel;
    const script = webview.asWebviewUri(vscode.Uri.joinPath(extension, ...SCRIPT)).toString();
    webview.html = page(drawn, { script, source: webview.cspSource, nonce: randomBytes(16).toString("hex") });
    const watching = [
      webview.onDidReceiveMessage((message) => this.answer(message)),
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved.uri.toString() === uri.toString()) void this.redraw(undefined);
      }),
    ];
    this.panel.onDidDispose(() => {
      for (const one of watching) one.dispose();
    });
  }

  private async answer(message: unknown): Promise<void> {
    const wish = wishOf(message);
    if (wish?.kind === "fold") {
      this.folding.set(wish.key, wish.isOpen);
      await this.redraw(wish.key);
    } else if (wish !== undefined) {
      const place = new vscode.Position(wish.line - 1, 0);
      const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === this.uri.toString());
      const viewColumn = open?.viewColumn ?? vscode.ViewColumn.One;
      await vscode.window.showTextDocument(this.uri, { viewColumn, selection: new vscode.Range(place, place) });
    }
  }

  private async redraw(focus: string | undefined): Promise<void> {
    const drawn = await draw(this.uri, this.model, this.folding);
    const message: Redrawn | undefined = drawn && { svg: drawn.svg, focus };
    if (message !== undefined) await this.panel.webview.postMessage(message);
  }
}
