/** Looks executables up on PATH. */

import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import * as path from "node:path";

/**
 * The first of `names` in the folders of PATH; folder by folder, so that the order of PATH counts.
 * Relative folders are left out, and so are files that are `forbidden`: those of the workspace.
 */
export async function which(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
  forbidden: (file: string) => Promise<boolean> = () => Promise.resolve(false),
): Promise<string | undefined> {
  const folders = (environment["PATH"] ?? environment["Path"] ?? "").split(path.delimiter);
  for (const folder of folders) {
    if (!path.isAbsolute(folder)) continue;
    for (const name of names.flatMap(spellings)) {
      const file = path.join(folder, name);
      if ((await isExecutable(file)) && !(await forbidden(file))) return file;
    }
  }
  return undefined;
}

/** Whether `file` lies in one of the folders, or is one of them. */
export function liesIn(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, file);
    const leadsUp = relative === ".." || relative.startsWith(`..${path.sep}`);
    return !leadsUp && !path.isAbsolute(relative);
  });
}

/** Whether a file lies in one of the folders, by its path or by what its links lead to. */
export async function belongsTo(file: string, folders: readonly string[]): Promise<boolean> {
  const real = await Promise.all(folders.map(followed));
  return liesIn(file, folders) || liesIn(await followed(file), real);
}

async function followed(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return file;
  }
}

function spellings(name: string): string[] {
  return process.platform === "win32" ? [`${name}.exe`] : [name];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
