/** Messages about a server that does not run, with what can be done about it. */

import * as vscode from "vscode";
import type { Complaint, Remedy } from "../discovery/complaint";
import { SECTION, showsNotifications } from "./settings";

const LABELS: Record<Remedy, string> = {
  install: "Copy Install Command",
  upgrade: "Copy Upgrade Command",
  settings: "Open Settings",
  interpreter: "Select Interpreter",
  restart: "Restart",
  serverLogs: "Show Server Logs",
};
const SHOW_LOGS = "Show Logs";

/** Show the message, and do what is chosen. */
export async function complain({ message, remedies, python }: Complaint): Promise<void> {
  if (!showsNotifications()) return;
  const chosen = await vscode.window.showErrorMessage(message, ...remedies.map((remedy) => LABELS[remedy]), SHOW_LOGS);
  if (chosen === SHOW_LOGS) await vscode.commands.executeCommand("dllint.showLogs");
  const remedy = remedies.find((candidate) => LABELS[candidate] === chosen);
  if (remedy === "settings") await vscode.commands.executeCommand("workbench.action.openSettings", SECTION);
  else if (remedy === "restart") await vscode.commands.executeCommand("dllint.restart");
  else if (remedy === "interpreter") await selectInterpreter();
  else if (remedy === "serverLogs") await vscode.commands.executeCommand("dllint.showServerLogs");
  else if (remedy !== undefined && python !== undefined) await copyInstallation(python, remedy);
}

// The command is the Python extension's, which need not be there.
async function selectInterpreter(): Promise<void> {
  const known = await vscode.commands.getCommands(true);
  const command = known.includes("python.setInterpreter") ? "python.setInterpreter" : "workbench.action.openSettings";
  await vscode.commands.executeCommand(command, ...(command === "python.setInterpreter" ? [] : [`${SECTION}.interpreter`]));
}

// Copied, not run: an environment may be managed by other means than pip.
async function copyInstallation(python: string, remedy: Remedy): Promise<void> {
  const quoted = /\s/.test(python) ? `"${python}"` : python;
  await vscode.env.clipboard.writeText(`${quoted} -m pip install ${remedy === "upgrade" ? "--upgrade " : ""}dllint`);
  void vscode.window.showInformationMessage("Copied. Run it in a terminal, then use `dllint: Restart Server`.");
}
