import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { belongsTo, liesIn, which } from "../src/discovery/which";

const root = mkdtempSync(path.join(tmpdir(), "dllint-which-"));
after(() => {
  rmSync(root, { recursive: true });
});

function executable(folder: string, name: string, mode = 0o755): string {
  mkdirSync(path.join(root, folder), { recursive: true });
  const file = path.join(root, folder, process.platform === "win32" ? `${name}.exe` : name);
  writeFileSync(file, "");
  chmodSync(file, mode);
  return file;
}

const PATH = (...folders: string[]): NodeJS.ProcessEnv => ({
  PATH: folders.map((folder) => path.join(root, folder)).join(path.delimiter),
});

test("folders come before names", async () => {
  const python = executable("first", "python");
  executable("second", "python3");
  assert.equal(await which(["python3", "python"], PATH("first", "second")), python);
});

test("what is not executable, relative or forbidden is left out", async () => {
  executable("plain", "dllint", 0o644);
  executable("workspace/bin", "dllint");
  const wanted = executable("system", "dllint");
  const forbidden = (file: string): Promise<boolean> => belongsTo(file, [path.join(root, "workspace")]);
  const environment = PATH("workspace/bin", "system");
  environment["PATH"] = `.${path.delimiter}${environment["PATH"] ?? ""}`;
  assert.equal(await which(["dllint"], environment, forbidden), wanted);
  if (process.platform !== "win32") assert.equal(await which(["dllint"], PATH("plain")), undefined);
  assert.equal(await which(["dllint"], {}), undefined);
});

test("a folder contains itself and what is below, not its neighbours", () => {
  const folder = path.join(root, "a");
  assert.equal(liesIn(folder, [folder]), true);
  assert.equal(liesIn(path.join(folder, "b", "c"), [folder]), true);
  assert.equal(liesIn(path.join(folder, "..b", "c"), [folder]), true);
  assert.equal(liesIn(path.join(root, "ab"), [folder]), false);
  assert.equal(liesIn(root, [folder]), false);
});

test("links do not hide where a file lies", { skip: process.platform === "win32" }, async () => {
  const inside = executable("opened/bin", "dllint");
  const outside = executable("own", "dllint");
  const folder = path.join(root, "opened");
  symlinkSync(inside, path.join(root, "leads-in"));
  symlinkSync(outside, path.join(folder, "leads-out"));
  symlinkSync(folder, path.join(root, "another-name"));
  for (const file of [inside, path.join(root, "leads-in"), path.join(folder, "leads-out"), path.join(folder, "missing")]) {
    assert.equal(await belongsTo(file, [folder]), true, file);
  }
  assert.equal(await belongsTo(inside, [path.join(root, "another-name")]), true);
  assert.equal(await belongsTo(outside, [folder]), false);
});
