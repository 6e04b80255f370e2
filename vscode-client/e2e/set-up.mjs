// Installs the workbench (code-server: the real VS Code workbench and extension host) and a browser. No compiler is needed:
// install scripts do not run, and the two native modules that code-server cannot do without are replaced by stubs.
import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { browser } from "./browser.mjs";

const here = import.meta.dirname;
const server = path.join(here, "node_modules/code-server");
const stamp = path.join(here, "node_modules/.set-up");

function run(command, args, cwd = here) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const done = spawnSync(command, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
  if (done.error || done.status !== 0) throw new Error(`failed: ${command} ${args.join(" ")} ${done.error ?? ""}`);
}

const npm = (verb, cwd, ...more) => run("npm", [verb, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...more], cwd);

function stub(name, folder) {
  copyFileSync(path.join(here, "stubs", name), path.join(folder, "stub.cjs"));
  const manifest = path.join(folder, "package.json");
  const { exports: _exports, type: _type, ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
  writeFileSync(manifest, JSON.stringify({ ...rest, main: "stub.cjs" }));
}

function installWorkbench() {
  npm("ci");
  const vscode = path.join(server, "lib/vscode");
  // Their shrinkwraps are out of step with their manifests, which `npm ci` refuses.
  npm("install", vscode, "--omit=dev");
  npm("install", path.join(vscode, "extensions"), "--omit=dev");
  stub("argon2.cjs", path.join(here, "node_modules/argon2"));
  stub("spdlog.cjs", path.join(vscode, "node_modules/@vscode/spdlog"));
  // As code-server's own install script does: the editor looks for its grammars' engine there.
  rmSync(path.join(vscode, "node_modules.asar"), { force: true, recursive: true });
  symlinkSync("node_modules", path.join(vscode, "node_modules.asar"));
  dropSourceMaps();
}

// 150 MB that nothing reads.
function dropSourceMaps() {
  for (const name of readdirSync(server, { recursive: true })) {
    if (name.endsWith(".js.map") || name.endsWith(".css.map")) rmSync(path.join(server, name), { force: true });
  }
}

function installBrowser() {
  if (browser() !== undefined) return;
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) {
    throw new Error("the end-to-end test needs Chromium on PATH: install it with your system's package manager, or name it by CHROMIUM");
  }
  run("apt-get", ["update", "-q"]);
  run("apt-get", ["install", "-q", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"]);
  if (browser() === undefined) throw new Error("Chromium was installed, but is not on PATH");
}

const major = process.versions.node.split(".")[0];
if (major !== "20") throw new Error(`the workbench wants Node 20, this is ${process.version}`);
installWorkbench();
installBrowser();
writeFileSync(stamp, "");
