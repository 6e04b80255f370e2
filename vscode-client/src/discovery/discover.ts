/** Tries the candidates one by one and says what came of each. */

import type { Candidate } from "./candidates";
import { isOlder, OLDEST_PYTHON, OLDEST_SERVER, printedVersion } from "./version";

/** What running `COMMAND --version` gave; `python` is the version of an interpreter in which it failed. */
export type Answer =
  | { readonly kind: "printed"; readonly output: string }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly reason: string; readonly python?: string };

/** The reason if there is nothing to run. */
export const MISSING = "there is no such file";

/** Runs a candidate with `--version`. */
export type Probe = (candidate: Candidate) => Promise<Answer>;

/** A server that can be started. */
export interface Server {
  readonly candidate: Candidate;
  readonly version: string;
}

/** Why a candidate was passed over. `version` is set if it is a dllint, but too old; `python` if its interpreter is known. */
export interface Rejection {
  readonly candidate: Candidate;
  readonly reason: string;
  readonly version?: string;
  readonly python?: string;
}

export interface Discovery {
  readonly server: Server | undefined;
  readonly rejected: readonly Rejection[];
}

/** The first candidate that answers with a version that is new enough. */
export async function discover(candidates: readonly Candidate[], probe: Probe): Promise<Discovery> {
  const rejected: Rejection[] = [];
  for (const candidate of candidates) {
    const verdict = judge(candidate, await probe(candidate));
    if ("reason" in verdict) rejected.push(verdict);
    else return { server: verdict, rejected };
  }
  return { server: undefined, rejected };
}

function judge(candidate: Candidate, answer: Answer): Server | Rejection {
  if (answer.kind === "missing") return { candidate, reason: MISSING };
  if (answer.kind === "failed") {
    const { reason, python } = answer;
    if (python === undefined) return { candidate, reason };
    const isOld = isOlder(python, OLDEST_PYTHON);
    return { candidate, python, reason: isOld ? `it is Python ${python}, and ${OLDEST_PYTHON} or newer is needed` : reason };
  }
  const version = printedVersion(answer.output);
  if (version === undefined) return { candidate, reason: "it does not answer `--version` as dllint does" };
  if (isOlder(version, OLDEST_SERVER)) {
    return { candidate, version, reason: `dllint ${version} is too old, ${OLDEST_SERVER} or newer is needed` };
  }
  return { candidate, version };
}

/** A candidate as one would type it. */
export function commandLine(candidate: Candidate): string {
  return candidate.command.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
}
