import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { liesIn, which } from "../src/discovery/which";

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
  const forbidden = (folder: string): boolean => liesIn(folder, [path.join(root, "workspace")]);
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
  assert.equal(liesIn(path.join(root, "ab"), [folder]), false);
});
