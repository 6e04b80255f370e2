// A server that dies is started again by itself; one that keeps dying is complained about once, with a button that starts it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { options, scenario } from "./scenario.mjs";

const NAME = "net.py";
const DEATHS = 3;

const folder = mkdtempSync(path.join(tmpdir(), "dllint-crash-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const starts = path.join(folder, "starts");

/** A dllint that notes the process of each server. */
function noting() {
  const file = path.join(folder, "dllint");
  const note = `[ "$1" = server ] && echo $$ >> '${starts}'`;
  writeFileSync(starts, "");
  writeFileSync(file, ["#!/bin/sh", note, `exec '${options.interpreter}' -m dllint "$@"`].join("\n"), { mode: 0o755 });
  return file;
}

const servers = () => readFileSync(starts, "utf8").split("\n").filter(Boolean).map(Number);

async function until(isSo) {
  while (!isSo()) await pause(50);
}

async function crash({ workbench, done, picture }) {
  const { page } = workbench;
  const toasts = page.locator(".notification-toast", { hasText: "several times in a row" });
  for (let death = 1; death <= DEATHS; death++) {
    await workbench.waitForStatus("ready");
    await until(() => servers().length === death);
    await workbench.squiggle("error").first().waitFor({ state: "attached" });
    process.kill(servers().at(-1), "SIGKILL");
    if (death < DEATHS) await until(() => servers().length === death + 1);
    done(`death ${death}`);
  }
  await workbench.waitForStatus("not running");
  await toasts.first().waitFor();
  assert.equal(await page.locator(".notification-toast").count(), 1);
  assert.equal(servers().length, DEATHS);
  done("one message tells that the server keeps dying");
  await picture("crash");
  await toasts.locator(".monaco-button", { hasText: "Restart" }).click();
  await workbench.waitForStatus("ready");
  await workbench.squiggle("error").first().waitFor({ state: "attached" });
  assert.equal(servers().length, DEATHS + 1);
  done("its button starts the server");
}

await scenario({ name: NAME, settings: { "dllint.path": [noting()] } }, crash);
