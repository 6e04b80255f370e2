// Interpreters that run no script: asked to diagnose one, they write a report.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { options } from "./scenario.mjs";

/** The interpreter of this run, but for `dllint diagnose`: that finds something in line `row` of the script `name`, and its page has `text`. */
export function reporting({ name, row, text }) {
  const folder = mkdtempSync(path.join(tmpdir(), "dllint-interpreter-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const finding = { code: "DLX110", name: "cannot-fit-single-batch", message: "All samples get the same prediction", severity: "warning" };
  const places = { filename: name, location: { row, column: 1 }, end_location: { row, column: 5 } };
  const script = [
    "import json, sys",
    "value = lambda name: sys.argv[sys.argv.index(name) + 1]",
    `open(value("--output-file"), "w").write(${JSON.stringify(JSON.stringify([{ ...finding, ...places }]))})`,
    `open(value("--html"), "w").write("<!doctype html><p>${text}</p>")`,
    "sys.exit(1)",
  ];
  writeFileSync(path.join(folder, "report.py"), script.join("\n"));
  const python = `'${options.interpreter}'`;
  const lines = ["#!/bin/sh", `case "$*" in *"dllint diagnose"*) exec ${python} '${folder}/report.py' "$@";; esac`, `exec ${python} "$@"`];
  const file = path.join(folder, "python");
  writeFileSync(file, lines.join("\n"), { mode: 0o755 });
  return file;
}
