/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the frame of a graph: hands on what the user wants, and shows what comes back. */

import { actionOf, type Action, type Redrawn, type Wish } from "./keys";

declare function acquireVsCodeApi(): { postMessage(message: Wish): void };

const editor = acquireVsCodeApi();
const ITEM = "[role=treeitem]";
const main = document.querySelector("main") as HTMLElement;

const items = (): SVGElement[] => [...main.querySelectorAll<SVGElement>(ITEM)];
const itemAt = (target: EventTarget | null): SVGElement | null =>
  target instanceof Element ? target.closest<SVGElement>(ITEM) : null;

function focus(item: SVGElement | undefined): void {
  if (item === undefined) return;
  for (const other of items()) other.setAttribute("tabindex", other === item ? "0" : "-1");
  item.focus();
}

function fold(item: SVGElement, isOpen: boolean): void {
  const { key } = item.dataset;
  const expanded = item.getAttribute("aria-expanded");
  if (key !== undefined && expanded !== null && expanded !== String(isOpen)) editor.postMessage({ kind: "fold", key, isOpen });
}

function go(item: SVGElement): void {
  const line = Number(item.dataset["line"]);
  if (line > 0) editor.postMessage({ kind: "go", line });
}

function act(action: Action, item: SVGElement): void {
  const all = items();
  const at = all.indexOf(item);
  if (action === "go") go(item);
  else if (action === "open") fold(item, true);
  else if (action === "close") fold(item, false);
  else focus(all.at({ next: Math.min(at + 1, all.length - 1), previous: Math.max(at - 1, 0), first: 0, last: -1 }[action]));
}

main.addEventListener("keydown", (event) => {
  const item = itemAt(event.target);
  const action = actionOf(event);
  if (item === null || action === undefined) return;
  event.preventDefault();
  act(action, item);
});

main.addEventListener("click", (event) => {
  const item = itemAt(event.target);
  // Whoever selects text does not want to leave.
  if (item === null || document.getSelection()?.isCollapsed === false) return;
  focus(item);
  const isToggle = event.target instanceof SVGElement && event.target.dataset["toggle"] !== undefined;
  if (isToggle) fold(item, item.getAttribute("aria-expanded") === "false");
  else go(item);
});

window.addEventListener("message", (event: MessageEvent<Redrawn>) => {
  const drawn = new DOMParser().parseFromString(event.data.svg, "image/svg+xml").documentElement;
  if (drawn.localName !== "svg") return;
  main.replaceChildren(document.importNode(drawn, true));
  const { focus: key } = event.data;
  if (key !== undefined) focus(items().find((item) => item.dataset["key"] === key));
});
