/** The page of a summary in its own frame: the table that the server has made, and the script of view.ts. */

import { type Frame, framed } from "../page/frame";

/** What the server answers to `dllint.summary`: HTML whose texts it has escaped, its style, and what it shows. */
export interface Summary {
  readonly table: string;
  readonly style: string;
  readonly title: string;
  readonly model: string;
}

/** The editor's colours for the variables of the style of tables. */
const STYLE = `
main {
  --dllint-page: var(--vscode-editor-background); --dllint-rule: var(--vscode-editorWidget-border, var(--vscode-panel-border));
  --dllint-wrong: var(--vscode-editorError-foreground); --dllint-focus: var(--vscode-focusBorder);
  padding: 0 12px;
}
section th { text-align: left; font-weight: normal; padding-right: 12px; white-space: pre; }
h2 { font-size: 1.1em; margin: 14px 0 4px; }
ul { margin: 0; padding-left: 1.4em; }
`;

export const HELP =
  "Click or Enter: go to the line. + and − or Right and Left: open and close. Down and Up: next and previous layer.";

export function page(summary: Summary, frame: Frame): string {
  return framed({ title: summary.title, style: STYLE + summary.style, help: HELP, body: summary.table }, frame);
}
