// What every scenario has: a workspace of its own, the workbench on it, and a report.
// Options of each: --vsix FILE, --interpreter PYTHON, --pictures FOLDER (else none are kept), --report FILE.
// The report is one JSON object: the seconds after which each step was done, and the error if there was one. Exit code 0 or 1.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startCodeServer } from "./codeServer.mjs";
import { openWorkbench } from "./workbench.mjs";

export const { values: options } = parseArgs({
  options: { vsix: { type: "string" }, interpreter: { type: "string" }, pictures: { type: "string" }, report: { type: "string" } },
});

/**
 * Run `body` on the program `name` in a copy of the folder `programs`; `prepare` may add to the workspace before.
 * `opened` is the file of a workspace of several folders, `settings` are the user's, `trust` says whether folders must be trusted,
 * `extensions` are installed besides ours.
 */
export async function scenario({ name, prepare = () => undefined, ...wishes }, body) {
  const root = mkdtempSync(path.join(tmpdir(), "dllint-e2e-"));
  const workspace = path.join(root, "workspace");
  const file = path.join(workspace, name);
  const report = { steps: {}, error: null };
  const done = clock(report);
  const open = {};
  const picture = painter(root, open);
  try {
    cpSync(path.join(import.meta.dirname, "programs"), workspace, { recursive: true });
    prepare(workspace);
    await start({ root, workspace, file, ...wishes }, open, done);
    await body({ workbench: open.workbench, workspace, file, done, picture });
  } catch (error) {
    report.error = error.stack ?? String(error);
    await picture("failure");
    writeFileSync(path.join(root, "console.txt"), (open.workbench?.console ?? []).join("\n"));
  }
  await open.workbench?.close();
  await open.server?.stop();
  finish(report, root);
}

async function start({ root, workspace, file, settings, opened = "", trust = false, extensions = [] }, open, done) {
  const all = [path.resolve(options.vsix), ...extensions];
  open.server = await startCodeServer({ root, workspace, extensions: all, settings, trust });
  done("code-server runs, with the extension");
  open.workbench = await openWorkbench(open.server, { workspace: path.join(workspace, opened), file });
  await open.workbench.waitForEditor(path.basename(file));
  done("the file is open");
}

/** Notes when steps are done. */
function clock(report) {
  const began = Date.now();
  return (step) => {
    report.steps[step] = Number(((Date.now() - began) / 1000).toFixed(2));
    console.log(report.steps[step], step);
  };
}

/** Takes pictures of the workbench, if it is open by then. */
function painter(root, open) {
  const folder = options.pictures ?? path.join(root, "pictures");
  mkdirSync(folder, { recursive: true });
  return (title) => open.workbench?.picture(path.join(folder, `${title}.png`));
}

/** Report and end; after a failure, what is left of the run stays. */
function finish(report, root) {
  if (report.error === null) rmSync(root, { recursive: true, force: true });
  else console.error(report.error, `\nkept: ${root}`);
  if (options.report) writeFileSync(options.report, JSON.stringify(report, null, 1));
  process.exit(report.error === null ? 0 : 1);
}
