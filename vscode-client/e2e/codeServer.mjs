// Starts and stops code-server with folders of its own, so that nothing of the user's is read or changed.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ENTRY = path.join(import.meta.dirname, "node_modules/code-server/out/node/entry.js");
const START_MS = 60_000;

const QUIET = {
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "workbench.reduceMotion": "on",
  "workbench.colorTheme": "Default Light Modern",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "chat.commandCenter.enabled": false,
  "window.commandCenter": false,
  "files.autoSave": "off",
  "editor.fontFamily": "'DejaVu Sans Mono', monospace",
  "editor.minimap.enabled": false,
  "editor.hover.delay": 100,
  // In pictures the code above is worth more than the empty lines below.
  "editor.hover.above": false,
  "editor.cursorBlinking": "solid",
  "editor.accessibilitySupport": "off",
  // Decided, so that they are not offered in every scenario.
  "dllint.inlayHints.shapes": false,
};

/** Our settings of the scope `machine-overridable`. */
const OF_MACHINE = ["dllint.path", "dllint.interpreter", "dllint.importStrategy"];

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function healthy(base) {
  return new Promise((resolve) => {
    const request = http.get(`${base}/healthz`, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on("error", () => resolve(false));
    request.setTimeout(2000, () => request.destroy());
  });
}

/** What a private instance below `root` needs: its arguments and its environment. */
function privately(root, port, settings, trust) {
  const at = (name) => {
    mkdirSync(path.join(root, name), { recursive: true });
    return path.join(root, name);
  };
  const config = path.join(root, "config.yaml");
  writeFileSync(config, `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
  const asked = { "security.workspace.trust.enabled": trust, "security.workspace.trust.startupPrompt": "never" };
  writeFileSync(path.join(at("data/User"), "settings.json"), JSON.stringify({ ...QUIET, ...asked, ...settings }, null, 2));
  // Settings of the machine count there only: in those of the user they are passed over as soon as that file is read again.
  const ofMachine = Object.entries(settings).filter(([name]) => OF_MACHINE.includes(name));
  writeFileSync(path.join(at("data/Machine"), "settings.json"), JSON.stringify(Object.fromEntries(ofMachine)));
  const { PORT: _port, PASSWORD: _password, ...inherited } = process.env;
  const homes = { HOME: at("home"), XDG_DATA_HOME: at("share"), XDG_CONFIG_HOME: at("config"), XDG_RUNTIME_DIR: at("t"), TMPDIR: at("t") };
  return { args: ["--config", config, "--user-data-dir", at("data"), "--extensions-dir", at("ext")], env: { ...inherited, ...homes } };
}

/** Install `extensions` (.vsix files) and start a workbench on the folder `workspace`. With `trust`, folders must be trusted first. */
export async function startCodeServer({ root, workspace, extensions, settings = {}, trust = false }) {
  const port = await freePort();
  const { args, env } = privately(root, port, settings, trust);
  for (const extension of extensions) {
    const done = spawnSync(process.execPath, [ENTRY, ...args, "--install-extension", extension], { env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${extension} was not installed: ${done.stdout}${done.stderr}`);
  }
  const log = path.join(root, "code-server.log");
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", "--disable-proxy"];
  const trusting = trust ? [] : ["--disable-workspace-trust"];
  const out = openSync(log, "w");
  const command = [ENTRY, ...args, ...quiet, ...trusting, "--ignore-last-opened", workspace];
  const child = spawn(process.execPath, command, { env, detached: true, stdio: ["ignore", out, out] });
  const base = `http://127.0.0.1:${port}`;
  await untilHealthy(base, child, log);
  return { base, authority: `127.0.0.1:${port}`, stop: () => stop(child) };
}

async function untilHealthy(base, child, log) {
  const end = Date.now() + START_MS;
  while (!(await healthy(base))) {
    if (child.exitCode !== null || Date.now() > end) {
      await stop(child);
      throw new Error(`code-server did not start: ${readFileSync(log, "utf8")}`);
    }
    await sleep(100);
  }
}

// The whole group: code-server starts processes of its own.
async function stop(child) {
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  signal(child, "SIGTERM");
  for (let i = 0; i < 30 && !ended(); i++) await sleep(100);
  signal(child, "SIGKILL");
}

function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
