/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the frame of a graph: hands on what the user wants, and shows what comes back. */

import { Items, tell } from "../page/items";
import type { Redrawn } from "./redrawn";

const main = document.querySelector("main") as HTMLElement;

const items = new Items(main, "[role=treeitem]", (item, isOpen) => {
  const { key } = item.dataset;
  if (key !== undefined) tell({ kind: "fold", key, isOpen });
});

window.addEventListener("message", (event: MessageEvent<Redrawn>) => {
  const drawn = new DOMParser().parseFromString(event.data.svg, "image/svg+xml").documentElement;
  if (drawn.localName !== "svg") return;
  main.replaceChildren(document.importNode(drawn, true));
  const { focus: key } = event.data;
  if (key !== undefined) items.focus(items.all().find((item) => item.dataset["key"] === key));
});
