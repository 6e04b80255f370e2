/** What to tell the user when no server can be started. */

import { commandLine, type Discovery, type Rejection } from "./discover";
import { OLDEST_SERVER } from "./version";

export type Remedy = "install" | "upgrade" | "settings" | "serverLogs";

export interface Complaint {
  readonly message: string;
  readonly remedies: readonly Remedy[];
  /** The interpreter in which `pip install` would help; undefined if none is known. */
  readonly python: string | undefined;
}

/** One sentence and what can be done, from the candidates that were passed over. */
export function complaint(discovery: Discovery): Complaint {
  const python = discovery.rejected.find(({ candidate }) => candidate.source === "interpreter")?.candidate.command[0];
  const old = discovery.rejected.find(({ version }) => version !== undefined);
  if (old !== undefined) return tooOld(old, python);
  const named = discovery.rejected.find(({ candidate }) => candidate.source === "setting");
  if (named !== undefined) {
    const message = `dllint cannot be started: "dllint.path" names ${commandLine(named.candidate)}, but ${named.reason}.`;
    return { message, remedies: ["settings"], python };
  }
  if (python !== undefined) {
    return { message: `dllint is not installed for ${python}.`, remedies: ["install", "settings"], python };
  }
  return { message: "dllint was not found: no Python interpreter is chosen and it is not on PATH.", remedies: ["settings"], python };
}

function tooOld({ candidate, version = "" }: Rejection, python: string | undefined): Complaint {
  const message = `dllint ${version} (${commandLine(candidate)}) is too old; this extension needs ${OLDEST_SERVER} or newer.`;
  return { message, remedies: candidate.source === "interpreter" ? ["upgrade", "settings"] : ["settings"], python };
}
