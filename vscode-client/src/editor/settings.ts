/** The extension's settings as VS Code holds them. */

import * as vscode from "vscode";
import type { Wishes } from "../discovery/candidates";
import { type Folder, substituted } from "../discovery/variables";

export const SECTION = "dllint";

/** Settings that decide which server runs, and what it offers; the running server asks for the others when they change. */
const DECIDE_THE_SERVER = ["enable", "path", "interpreter", "importStrategy", "diagnosticMode"];

/** Whether the change asks for another server. */
export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return DECIDE_THE_SERVER.some((name) => event.affectsConfiguration(`${SECTION}.${name}`));
}

/** All settings, as the server is told them. */
export function settings(): vscode.WorkspaceConfiguration {
  return section();
}

export function isEnabled(): boolean {
  return section().get<boolean>("enable", true);
}

export function showsNotifications(): boolean {
  return section().get<string>("showNotifications", "onError") === "onError";
}

/** How the user wants the server to be found, with variables replaced. */
export function wishes(): Wishes {
  const own = section();
  return {
    path: texts(own, "path"),
    interpreter: texts(own, "interpreter"),
    importStrategy: own.get<string>("importStrategy") === "useBundled" ? "useBundled" : "fromEnvironment",
  };
}

/** The interpreter that the settings name for a file or folder: those of its folder, if there are several. */
export function interpreterFor(file: vscode.Uri | undefined): string[] {
  return texts(vscode.workspace.getConfiguration(SECTION, file), "interpreter");
}

/** The folders of the workspace that lie on the disk. */
export function folders(): Folder[] {
  const open = vscode.workspace.workspaceFolders ?? [];
  return open.filter((folder) => folder.uri.scheme === "file").map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
}

// One server per window: of several folders, the first one's settings say how it is found.
function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION, vscode.workspace.workspaceFolders?.[0]?.uri);
}

function texts(own: vscode.WorkspaceConfiguration, name: string): string[] {
  const open = folders();
  const value = own.get<unknown>(name);
  // Users write `"dllint.path": "/usr/bin/dllint"`, too; VS Code marks it, but hands it over.
  const words = typeof value === "string" ? [value] : Array.isArray(value) ? value.map(String) : [];
  return words.filter((word) => word !== "").map((word) => substituted(word, open));
}
