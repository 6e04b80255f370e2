/** Rows that form a tree: those below a closed one are hidden. */

/** A row: its level, and whether it is open, if it can be. */
export interface Level {
  readonly level: number;
  readonly isOpen: boolean | undefined;
}

/** Which of the rows are hidden. */
export function hiddenOf(rows: readonly Level[]): boolean[] {
  let closed = Infinity;
  return rows.map(({ level, isOpen }) => {
    if (level <= closed) closed = Infinity;
    const isHidden = closed !== Infinity;
    if (!isHidden && isOpen === false) closed = level;
    return isHidden;
  });
}
