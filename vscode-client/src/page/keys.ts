/** What keys and clicks on an item of a page mean, and the messages between a page and the extension. */

export type Action = "go" | "open" | "close" | "next" | "previous" | "first" | "last";

const ACTIONS: Readonly<Record<string, Action>> = {
  Enter: "go",
  " ": "go",
  "+": "open",
  ArrowRight: "open",
  "-": "close",
  "−": "close",
  ArrowLeft: "close",
  ArrowDown: "next",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
};

/** What a key means; undefined for keys with modifiers, which are the editor's. */
export function actionOf(event: { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean }): Action | undefined {
  return event.ctrlKey || event.altKey || event.metaKey ? undefined : ACTIONS[event.key];
}

/** From the page. */
export type Wish = { readonly kind: "go"; readonly line: number } | { readonly kind: "fold"; readonly key: string; readonly isOpen: boolean };

/** A message of the page, if it is one. */
export function wishOf(message: unknown): Wish | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { kind, line, key, isOpen } = message as Record<string, unknown>;
  if (kind === "go" && typeof line === "number" && Number.isInteger(line) && line > 0) return { kind, line };
  if (kind === "fold" && typeof key === "string" && typeof isOpen === "boolean") return { kind, key, isOpen };
  return undefined;
}
