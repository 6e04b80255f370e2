/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Items of a page, one of which has the keyboard: keys and clicks go on from item to item, fold them and lead to their lines. */

import { type Action, actionOf, type Wish } from "./keys";

declare function acquireVsCodeApi(): { postMessage(message: Wish): void };

type Item = HTMLElement | SVGElement;

const editor = acquireVsCodeApi();

/** Tell the extension what the user wants. */
export function tell(wish: Wish): void {
  editor.postMessage(wish);
}

export class Items {
  /** `selector` finds the items in `main`, `fold` opens or closes one that can be. */
  constructor(
    private readonly main: HTMLElement,
    private readonly selector: string,
    private readonly fold: (item: Item, isOpen: boolean) => void,
  ) {
    main.addEventListener("keydown", (event) => {
      this.pressed(event);
    });
    main.addEventListener("click", (event) => {
      this.clicked(event);
    });
  }

  all(): Item[] {
    return [...this.main.querySelectorAll<Item>(this.selector)];
  }

  focus(item: Item | undefined): void {
    if (item === undefined) return;
    for (const other of this.all()) other.setAttribute("tabindex", other === item ? "0" : "-1");
    item.focus();
  }

  private at(target: EventTarget | null): Item | null {
    return target instanceof Element ? target.closest<Item>(this.selector) : null;
  }

  private pressed(event: KeyboardEvent): void {
    const item = this.at(event.target);
    const action = actionOf(event);
    if (item === null || action === undefined) return;
    event.preventDefault();
    this.act(action, item);
  }

  private clicked(event: MouseEvent): void {
    const item = this.at(event.target);
    // Whoever selects text does not want to leave.
    if (item === null || document.getSelection()?.isCollapsed === false) return;
    this.focus(item);
    const { target } = event;
    const isToggle = (target instanceof SVGElement || target instanceof HTMLElement) && target.dataset["toggle"] !== undefined;
    if (isToggle) this.set(item, item.getAttribute("aria-expanded") === "false");
    else go(item);
  }

  private act(action: Action, item: Item): void {
    const shown = this.all().filter((one) => !one.hasAttribute("hidden"));
    const at = shown.indexOf(item);
    if (action === "go") go(item);
    else if (action === "open" || action === "close") this.set(item, action === "open");
    else this.focus(shown.at({ next: Math.min(at + 1, shown.length - 1), previous: Math.max(at - 1, 0), first: 0, last: -1 }[action]));
  }

  private set(item: Item, isOpen: boolean): void {
    const expanded = item.getAttribute("aria-expanded");
    if (expanded !== null && expanded !== String(isOpen)) this.fold(item, isOpen);
  }
}

function go(item: Item): void {
  const line = Number(item.dataset["line"]);
  if (line > 0) tell({ kind: "go", line });
}
