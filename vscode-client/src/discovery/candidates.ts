/** Which servers may be run, in order of preference. Nothing here touches the disk, a process or VS Code. */

import { isAbsolute } from "node:path";

/** How the user wants the server to be found. */
export interface Wishes {
  /** `dllint.path`: executables, the first that exists wins. */
  readonly path: readonly string[];
  /** `dllint.interpreter`: a Python interpreter with its arguments; empty for the one the Python extension has chosen. */
  readonly interpreter: readonly string[];
  readonly importStrategy: "fromEnvironment" | "useBundled";
}

/** What there is to choose from. Absent parts are undefined. */
export interface Surroundings {
  /** The interpreter that the Python extension has chosen; undefined in an untrusted workspace if it lies there. */
  readonly activeInterpreter: string | undefined;
  /** `dllint` on PATH. */
  readonly executableOnPath: string | undefined;
  /** A Python interpreter on PATH; runs the bundled server if no other interpreter is known. */
  readonly pythonOnPath: string | undefined;
  /** The folder with the server that came with the extension. */
  readonly bundledLibs: string | undefined;
}

export type Source = "setting" | "interpreter" | "PATH" | "bundled";

/** One way to run the server. */
export interface Candidate {
  readonly source: Source;
  /** Executable and arguments, to which `server` or `--version` is appended. */
  readonly command: readonly [string, ...string[]];
  /** What is added to the environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The candidates in order. An explicit `dllint.path` excludes all others: what the user named is used, or nothing. */
export function candidates(wishes: Wishes, around: Surroundings): Candidate[] {
  if (wishes.path.length > 0) return wishes.path.map(executable("setting"));
  const fromEnvironment = [
    ...present(interpreter(wishes, around)).map(moduleOf),
    ...present(around.executableOnPath).map(executable("PATH")),
  ];
  const bundled = bundledCandidates(wishes, around);
  return wishes.importStrategy === "useBundled" ? [...bundled, ...fromEnvironment] : [...fromEnvironment, ...bundled];
}

/**
 * What is left of the wishes in a workspace that is not trusted: executables by their full path that do not lie in it. A setting of
 * the user may name one of the workspace by `${workspaceFolder}`, and a bare name may be looked up there.
 */
export async function distrustful(wishes: Wishes, isOfWorkspace: (file: string) => Promise<boolean>): Promise<Wishes> {
  const path: string[] = [];
  for (const file of wishes.path) {
    if (isAbsolute(file) && !(await isOfWorkspace(file))) path.push(file);
  }
  const [first] = wishes.interpreter;
  const keeps = first !== undefined && isAbsolute(first) && !(await isOfWorkspace(first));
  return { ...wishes, path, interpreter: keeps ? wishes.interpreter : [] };
}

type Interpreter = readonly [string, ...string[]];

function interpreter(wishes: Wishes, around: Surroundings): Interpreter | undefined {
  const [first, ...rest] = wishes.interpreter;
  if (first !== undefined) return [first, ...rest];
  return around.activeInterpreter === undefined ? undefined : [around.activeInterpreter];
}

// Safe path: a `dllint/` or `re.py` in the working directory must not be imported by the server or by a process that it starts.
const SAFE_PATH = { PYTHONSAFEPATH: "1" };

function executable(source: Source): (path: string) => Candidate {
  return (path) => ({ source, command: [path], environment: SAFE_PATH });
}

function moduleOf(python: Interpreter): Candidate {
  return { source: "interpreter", command: [...python, "-m", "dllint"], environment: SAFE_PATH };
}

function bundledCandidates(wishes: Wishes, around: Surroundings): Candidate[] {
  const libs = around.bundledLibs;
  if (libs === undefined) return [];
  const onPath = present(around.pythonOnPath).map((file): Interpreter => [file]);
  return [...present(interpreter(wishes, around)), ...onPath].map((python) => ({
    ...moduleOf(python),
    source: "bundled",
    environment: { ...SAFE_PATH, PYTHONPATH: libs },
  }));
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
