/** What there is on this machine to run the server with. */

import { access } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Surroundings, Wishes } from "../discovery/candidates";
import { belongsTo, which } from "../discovery/which";
import { within } from "../within";
import { activeInterpreter } from "./pythonExtension";
import { folders } from "./settings";

// The Python extension may still be looking for environments; the server must not wait for ever. When it has chosen, it tells.
const PATIENCE_MS = 10_000;

/** Look for what the wishes leave open. In an untrusted workspace nothing that lies in it is taken. */
export async function surroundings(wishes: Wishes, extension: vscode.Uri, log: vscode.LogOutputChannel): Promise<Surroundings> {
  const decided = wishes.path.length > 0 || wishes.interpreter.length > 0;
  const active = decided ? undefined : await chosenInterpreter(log);
  return {
    activeInterpreter: active === undefined || (await forbidden(active)) ? undefined : active,
    executableOnPath: await which(["dllint"], process.env, forbidden),
    pythonOnPath: await which(["python3", "python"], process.env, forbidden),
    bundledLibs: await existing(path.join(extension.fsPath, "bundled", "libs")),
  };
}

/** Whether a file is not to be run because it is one of a workspace that is not trusted. */
export async function forbidden(file: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return false;
  return belongsTo(
    file,
    folders().map((folder) => folder.path),
  );
}

async function chosenInterpreter(log: vscode.LogOutputChannel): Promise<string | undefined> {
  try {
    return await within(PATIENCE_MS, activeInterpreter());
  } catch (error) {
    log.warn(`The Python extension does not say which interpreter it has chosen: ${String(error)}`);
    return undefined;
  }
}

async function existing(folder: string): Promise<string | undefined> {
  try {
    await access(folder);
    return folder;
  } catch {
    return undefined;
  }
}
