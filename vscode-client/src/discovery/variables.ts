/** Variables in settings that name files. */

import { homedir } from "node:os";

export interface Folder {
  readonly name: string;
  readonly path: string;
}

/**
 * Replace `${workspaceFolder}`, `${workspaceFolder:NAME}`, `${userHome}` and `${env:NAME}`; `~/` at the start is the home.
 * A variable that has no value is left as it is, so that the message about it shows what was meant.
 */
export function substituted(text: string, folders: readonly Folder[], environment: NodeJS.ProcessEnv = process.env): string {
  const home = homedir();
  return text.replace(/^~(?=[/\\])/, home).replace(/\$\{(\w+)(?::([^}]*))?\}/g, (whole, name: string, argument?: string) => {
    if (name === "userHome") return home;
    if (name === "env") return environment[argument ?? ""] ?? whole;
    if (name !== "workspaceFolder") return whole;
    const folder = argument === undefined ? folders[0] : folders.find((candidate) => candidate.name === argument);
    return folder?.path ?? whole;
  });
}
