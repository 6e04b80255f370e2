/** Runs a candidate to learn its version. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Candidate } from "./candidates";
import type { Answer } from "./discover";

// A cold interpreter on a slow network disk takes its time; a program that hangs must not keep the editor waiting for ever.
const PATIENCE_MS = 30_000;

const run = promisify(execFile);

/** Run the candidate with `--version`. */
export async function probe(candidate: Candidate): Promise<Answer> {
  const [file, ...args] = candidate.command;
  const env = { ...process.env, ...candidate.environment };
  try {
    const { stdout } = await run(file, [...args, "--version"], { env, timeout: PATIENCE_MS, windowsHide: true });
    return { kind: "printed", output: stdout };
  } catch (error) {
    const answer = answerOf(error as NodeJS.ErrnoException & { stderr?: string; killed?: boolean });
    const python = answer.kind === "failed" ? await pythonOf(candidate) : undefined;
    return python === undefined || answer.kind !== "failed" ? answer : { ...answer, python };
  }
}

/** The version of the interpreter that a candidate runs in, in words that every Python understands; undefined if there is none. */
async function pythonOf({ command }: Candidate): Promise<string | undefined> {
  const [file, ...args] = command;
  if (args.at(-2) !== "-m") return undefined;
  try {
    const program = "import sys; print('python %d.%d' % sys.version_info[:2])";
    const { stdout } = await run(file, [...args.slice(0, -2), "-c", program], { timeout: PATIENCE_MS, windowsHide: true });
    return /^python (\d+\.\d+)$/m.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

function answerOf(error: NodeJS.ErrnoException & { stderr?: string; killed?: boolean }): Answer {
  if (error.code === "ENOENT") return { kind: "missing" };
  if (error.killed === true) return { kind: "failed", reason: `it did not answer within ${PATIENCE_MS / 1000} seconds` };
  const lastLine = (error.stderr ?? "").trim().split("\n").at(-1) ?? "";
  return { kind: "failed", reason: lastLine === "" ? error.message : lastLine };
}
