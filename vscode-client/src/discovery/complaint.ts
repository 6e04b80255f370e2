/** What to tell the user when no server can be started. */

import { commandLine, MISSING, type Discovery, type Rejection } from "./discover";
import { isOlder, OLDEST_PYTHON, OLDEST_SERVER } from "./version";

export type Remedy = "install" | "upgrade" | "settings" | "interpreter" | "restart" | "serverLogs";

/** What came of the search, and whether the extension brings a server along, which only needs an interpreter. */
export interface Found extends Discovery {
  readonly hasBundled?: boolean;
}

export interface Complaint {
  readonly message: string;
  readonly remedies: readonly Remedy[];
  /** The interpreter in which `pip install` would help; undefined if none is known. */
  readonly python: string | undefined;
}

/** One sentence and what can be done, from the candidates that were passed over. */
export function complaint(discovery: Found): Complaint {
  const python = discovery.rejected.find(({ candidate }) => candidate.source === "interpreter")?.candidate.command[0];
  const old = discovery.rejected.find(({ version }) => version !== undefined);
  if (old !== undefined) return tooOld(old, python);
  const named = discovery.rejected.find(({ candidate }) => candidate.source === "setting");
  if (named !== undefined) {
    const message = `dllint cannot be started: "dllint.path" names ${commandLine(named.candidate)}, but ${named.reason}.`;
    return { message, remedies: ["settings"], python };
  }
  const lacking = noInterpreter(discovery);
  if (lacking !== undefined) return { message: lacking, remedies: ["interpreter", "settings", "restart"], python };
  if (python !== undefined) {
    return { message: `dllint is not installed for ${python}.`, remedies: ["install", "settings"], python };
  }
  return { message: "dllint was not found: no Python interpreter is chosen and it is not on PATH.", remedies: ["settings"], python };
}

/** What is said if the server is there, but no Python that is new enough to run it. */
function noInterpreter({ rejected, hasBundled }: Found): string | undefined {
  const asked = rejected.filter(({ candidate }) => candidate.source === "interpreter" || candidate.source === "bundled");
  const old = asked.filter(({ python }) => python !== undefined && isOlder(python, OLDEST_PYTHON));
  const needed = `dllint needs Python ${OLDEST_PYTHON} or newer to run`;
  if (asked.length > 0 && old.length === asked.length) {
    const known = new Map(old.map(({ candidate, python = "" }) => [candidate.command[0], python]));
    return `${needed}: ${[...known].map(([file, version]) => `${file} is Python ${version}`).join(", ")}.`;
  }
  const isWithout = hasBundled === true && asked.every(({ reason }) => reason === MISSING);
  return isWithout ? `${needed}, and no Python was found. Install one, or name it in "dllint.interpreter".` : undefined;
}

function tooOld({ candidate, version = "" }: Rejection, python: string | undefined): Complaint {
  const message = `dllint ${version} (${commandLine(candidate)}) is too old; this extension needs ${OLDEST_SERVER} or newer.`;
  return { message, remedies: candidate.source === "interpreter" ? ["upgrade", "settings"] : ["settings"], python };
}
