/** Looks executables up on PATH. */

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";

/**
 * The first of `names` in the folders of PATH; folder by folder, so that the order of PATH counts.
 * Relative folders are left out, and so are those that `forbidden` names: what lies there is the workspace's.
 */
export async function which(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
  forbidden: (folder: string) => boolean = () => false,
): Promise<string | undefined> {
  const folders = (environment["PATH"] ?? environment["Path"] ?? "").split(path.delimiter);
  for (const folder of folders) {
    if (!path.isAbsolute(folder) || forbidden(folder)) continue;
    for (const name of names.flatMap(spellings)) {
      const file = path.join(folder, name);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** Whether `file` lies in one of the folders, or is one of them. */
export function liesIn(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, file);
    return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
  });
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
