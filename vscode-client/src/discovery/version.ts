/** Versions of the server, as `dllint --version` prints them. */

/** The oldest server this client talks to: the first that has `dllint server`. */
export const OLDEST_SERVER = "0.1.0";

/** The oldest Python that the server runs on. */
export const OLDEST_PYTHON = "3.11";

const PRINTED = /^dllint (\d+(?:\.\d+)*)/m;

/** The version in the output of `dllint --version`; undefined if the output is something else's. */
export function printedVersion(output: string): string | undefined {
  return PRINTED.exec(output)?.[1];
}

/** Whether the release `version` is older than `other`; both are dotted numbers, missing parts count as 0. */
export function isOlder(version: string, other: string): boolean {
  const [mine, theirs] = [numbers(version), numbers(other)];
  for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
    const difference = (mine[i] ?? 0) - (theirs[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbers(version: string): number[] {
  return version.split(".").map(Number);
}
