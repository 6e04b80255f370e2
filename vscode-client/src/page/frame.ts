/** The frame of a page that answers keys and clicks: what the server has made, and one script; nothing else can be loaded. */

export interface Frame {
  /** Addresses of the script, and of what the frame may load scripts from. */
  readonly script: string;
  readonly source: string;
  readonly nonce: string;
}

/** What is in a frame: `body` is markup whose texts the server has escaped. */
export interface Content {
  readonly title: string;
  readonly style: string;
  readonly help: string;
  readonly body: string;
}

const STYLE = "body { padding: 0; } main { overflow: auto; } .help { margin: 4px 12px; opacity: .8; }";

export function framed({ title, style, help, body }: Content, frame: Frame): string {
  const policy = `default-src 'none'; style-src 'nonce-${frame.nonce}'; script-src ${frame.source}`;
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">`,
    `<title>${escaped(title)}</title>`,
    `<style nonce="${frame.nonce}">${STYLE}${style.replaceAll("<", "")}</style></head>`,
    `<body><p class="help" id="help">${escaped(help)}</p><main aria-describedby="help">${body}</main>`,
    `<script src="${escaped(frame.script)}"></script></body></html>`,
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
