/** Which boxes of a graph the user has opened and closed. */

export class Folding {
  private readonly openedKeys = new Set<string>();
  private readonly closedKeys = new Set<string>();

  get opened(): string[] {
    return [...this.openedKeys];
  }

  get closed(): string[] {
    return [...this.closedKeys];
  }

  /** Open a box, or close it. */
  set(key: string, isOpen: boolean): void {
    (isOpen ? this.closedKeys : this.openedKeys).delete(key);
    (isOpen ? this.openedKeys : this.closedKeys).add(key);
  }
}
