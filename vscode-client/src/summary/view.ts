/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the frame of a summary: folds the rows, hands on where the user wants to go, and shows a table that is made anew. */

import { Items } from "../page/items";
import { hiddenOf } from "./rows";

const main = document.querySelector("main") as HTMLElement;
/** By their key: rows that the user has opened or closed. */
const chosen = new Map<string, boolean>();

const items = new Items(main, "tr[role=row]", (row, isOpen) => {
  chosen.set(row.dataset["key"] ?? "", isOpen);
  row.setAttribute("aria-expanded", String(isOpen));
  hide();
});

function hide(): void {
  const rows = items.all();
  const hidden = hiddenOf(
    rows.map((row) => {
      const expanded = row.getAttribute("aria-expanded");
      return { level: Number(row.getAttribute("aria-level")), isOpen: expanded === null ? undefined : expanded === "true" };
    }),
  );
  rows.forEach((row, number) => row.toggleAttribute("hidden", hidden[number]));
}

window.addEventListener("message", (event: MessageEvent<{ readonly table: string }>) => {
  const focused = document.activeElement?.closest<HTMLElement>("tr[role=row]")?.dataset["key"];
  const made = new DOMParser().parseFromString(event.data.table, "text/html").body;
  main.replaceChildren(...made.childNodes);
  for (const row of items.all()) {
    const isOpen = chosen.get(row.dataset["key"] ?? "");
    if (isOpen !== undefined && row.hasAttribute("aria-expanded")) row.setAttribute("aria-expanded", String(isOpen));
  }
  hide();
  if (focused !== undefined) items.focus(items.all().find((row) => row.dataset["key"] === focused));
});
