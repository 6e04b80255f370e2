/** To the page of a graph: another drawing, in which the box of the key keeps the focus. */
export interface Redrawn {
  readonly svg: string;
  readonly focus: string | undefined;
}
