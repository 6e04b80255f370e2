// The browser that shows the workbench.
import { existsSync } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The file named by CHROMIUM, else the first browser on PATH; undefined if there is none. */
export function browser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
}

/** Arguments for a machine without a screen, a graphics card and, often, a network. */
export function browserArguments() {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return [
    ...sandbox,
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
  ];
}
