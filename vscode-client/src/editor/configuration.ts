/** The settings as the server asks for them, folder by folder. */

import * as vscode from "vscode";
import type { ConfigurationParams, ConfigurationRequest } from "vscode-languageclient/node";
import { within } from "../within";
import { activeInterpreter } from "./pythonExtension";
import { SECTION, interpreterFor } from "./settings";
import { forbidden } from "./surroundings";

const PATIENCE_MS = 10_000;

type Next = (params: ConfigurationParams, token: vscode.CancellationToken) => ReturnType<ConfigurationRequest.HandlerSignature>;

/** What the editor answers, with the interpreter of each folder: that of the settings, else the one chosen for it. */
export async function configuration(
  params: ConfigurationParams,
  token: vscode.CancellationToken,
  next: Next,
): Promise<unknown[]> {
  const answers: unknown = await next(params, token);
  return Promise.all(
    (Array.isArray(answers) ? answers : []).map(async (answer: unknown, at): Promise<unknown> => {
      const { section, scopeUri } = params.items[at] ?? {};
      if (section !== SECTION || answer === null || typeof answer !== "object" || Array.isArray(answer)) return answer;
      return { ...answer, interpreter: await interpreter(scopeUri === undefined ? undefined : vscode.Uri.parse(scopeUri)) };
    }),
  );
}

// Empty: the server takes its own.
async function interpreter(folder: vscode.Uri | undefined): Promise<string[]> {
  const named = interpreterFor(folder);
  const chosen = named.length > 0 ? named : [await within(PATIENCE_MS, activeInterpreter(folder)).catch(() => undefined)];
  const words = chosen.filter((word) => word !== undefined);
  const [first] = words;
  return first === undefined || (await forbidden(first)) ? [] : words;
}
