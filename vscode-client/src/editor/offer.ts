/** Shapes behind names are offered once, where a file has some; then they are as the user has chosen. */

import * as vscode from "vscode";
import type { Followed } from "../followed";
import { SECTION, showsNotifications } from "./settings";

const OFFERED = "dllint.hintsOffered";
const SETTING = "inlayHints.shapes";
const YES = "Show Shapes";
const NO = "No";

/** Offer the hints, unless that was done before or the user has decided already. */
export async function offerHints(memory: vscode.Memento, followed: Followed): Promise<void> {
  const isTensorCode = followed.share !== null && followed.share > 0;
  if (!isTensorCode || memory.get(OFFERED) === true || !showsNotifications() || isDecided()) return;
  await memory.update(OFFERED, true);
  const question = "dllint can show the shapes of tensors behind their names, such as `x: f32[8, 16, 12, 12]`.";
  const chosen = await vscode.window.showInformationMessage(question, YES, NO);
  if (chosen === YES) await vscode.workspace.getConfiguration(SECTION).update(SETTING, true, vscode.ConfigurationTarget.Global);
}

function isDecided(): boolean {
  const known = vscode.workspace.getConfiguration(SECTION, vscode.workspace.workspaceFolders?.[0]?.uri).inspect(SETTING);
  return [known?.globalValue, known?.workspaceValue, known?.workspaceFolderValue].some((value) => value !== undefined);
}
