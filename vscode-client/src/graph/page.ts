/** The page of a graph in its own frame: what the server has drawn, and the script of view.ts. */

import { type Frame, framed } from "../page/frame";

/** What the server answers to `dllint.graph`: an SVG element whose texts it has escaped, its style, and what it shows. */
export interface Drawn {
  readonly svg: string;
  readonly style: string;
  readonly title: string;
  readonly model: string;
}

/** The editor's colours for the variables of the style of diagrams. */
const COLOURS = `
.diagram {
  --dllint-text: var(--vscode-editor-foreground); --dllint-page: var(--vscode-editor-background);
  --dllint-box: var(--vscode-editorWidget-background); --dllint-line: var(--vscode-editorLineNumber-foreground);
  --dllint-end: var(--vscode-textBlockQuote-background); --dllint-wrong: var(--vscode-editorError-foreground);
  --dllint-focus: var(--vscode-focusBorder);
  font-family: var(--vscode-font-family);
}
`;

export const HELP =
  "Click or Enter: go to the line. + and − or Right and Left: open and close. Down and Up: next and previous box.";

export function page(drawn: Drawn, frame: Frame): string {
  return framed({ title: drawn.title, style: COLOURS + drawn.style, help: HELP, body: drawn.svg }, frame);
}
