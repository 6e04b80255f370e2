/** The page of a graph in its own frame: what the server has drawn, and the script of view.ts; nothing else can be loaded. */

/** What the server answers to `dllint.graph`: an SVG element whose texts it has escaped, its style, and what it shows. */
export interface Drawn {
  readonly svg: string;
  readonly style: string;
  readonly title: string;
  readonly model: string;
}

export interface Frame {
  /** Addresses of the script, and of what the frame may load scripts from. */
  readonly script: string;
  readonly source: string;
  readonly nonce: string;
}

/** The editor's colours for the variables of the style of diagrams. */
const COLOURS = `
body { padding: 0; }
main { overflow: auto; }
.diagram {
  --dllint-text: var(--vscode-editor-foreground); --dllint-page: var(--vscode-editor-background);
  --dllint-box: var(--vscode-editorWidget-background); --dllint-line: var(--vscode-editorLineNumber-foreground);
  --dllint-end: var(--vscode-textBlockQuote-background); --dllint-wrong: var(--vscode-editorError-foreground);
  --dllint-focus: var(--vscode-focusBorder);
  font-family: var(--vscode-font-family);
}
.help { margin: 4px 12px; opacity: .8; }
`;

export const HELP =
  "Click or Enter: go to the line. + and − or Right and Left: open and close. Down and Up: next and previous box.";

export function page(drawn: Drawn, frame: Frame): string {
  const policy = `default-src 'none'; style-src 'nonce-${frame.nonce}'; script-src ${frame.source}`;
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">`,
    `<title>${escaped(drawn.title)}</title>`,
    `<style nonce="${frame.nonce}">${COLOURS}${drawn.style.replaceAll("<", "")}</style></head>`,
    `<body><p class="help" id="help">${escaped(HELP)}</p><main aria-describedby="help">${drawn.svg}</main>`,
    `<script src="${escaped(frame.script)}"></script></body></html>`,
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
