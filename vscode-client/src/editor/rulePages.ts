/** The documentation of a rule, as the running server's own program prints it: right for its version, and offline. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Session } from "./session";

const SCHEME = "dllint-rule";
const run = promisify(execFile);

/** Makes `dllint-rule:CODE.md` documents. */
export class RulePages implements vscode.TextDocumentContentProvider {
  constructor(private readonly session: Session) {}

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const server = this.session.server;
    if (server === undefined) return "The dllint server does not run.";
    const [file, ...args] = server.candidate.command;
    const env = { ...process.env, ...server.candidate.environment };
    const code = uri.path.replace(/\.md$/, "");
    const { stdout } = await run(file, [...args, "rule", "--output-format", "markdown", code], { env, windowsHide: true });
    return stdout;
  }
}

/** Show the page of a rule of the findings at the cursor, or of one in the file. */
export async function openRule(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const codes = codesAt(editor);
  const code = codes.length > 1 ? await vscode.window.showQuickPick(codes, { title: "dllint: Rule" }) : codes[0];
  if (code === undefined) {
    if (codes.length === 0) void vscode.window.showInformationMessage("dllint has no findings in this file.");
    return;
  }
  await vscode.commands.executeCommand("markdown.showPreviewToSide", vscode.Uri.from({ scheme: SCHEME, path: `${code}.md` }));
}

function codesAt({ document, selection }: vscode.TextEditor): string[] {
  const ours = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === "dllint" || source === "dllint diagnose");
  const here = ours.filter(({ range }) => range.intersection(selection) !== undefined);
  return [...new Set((here.length > 0 ? here : ours).map(codeOf))].filter((code) => code !== "").sort();
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : (code ?? ""));
}
