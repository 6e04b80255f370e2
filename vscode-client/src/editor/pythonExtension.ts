/** The interpreter that Microsoft's Python extension has chosen. It is optional: without it nothing here is known. */

import * as vscode from "vscode";

const PYTHON_EXTENSION = "ms-python.python";

// The part of that extension's public interface that is used here.
interface PythonApi {
  readonly ready?: Promise<void>;
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The chosen interpreter for a file, or for the first folder; undefined without the extension or a choice. */
export async function activeInterpreter(file?: vscode.Uri): Promise<string | undefined> {
  const environments = (await api())?.environments;
  if (environments === undefined) return undefined;
  const chosen = environments.getActiveEnvironmentPath(file ?? vscode.workspace.workspaceFolders?.[0]?.uri);
  const resolved = await environments.resolveEnvironment(chosen);
  return resolved?.executable.uri?.fsPath;
}

/** Call `listener` whenever another interpreter is chosen. */
export async function onInterpreterChange(listener: () => void): Promise<vscode.Disposable | undefined> {
  return (await api())?.environments.onDidChangeActiveEnvironmentPath(listener);
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  if (extension === undefined) return undefined;
  const exported = extension.isActive ? extension.exports : await extension.activate();
  await exported.ready;
  return exported;
}
