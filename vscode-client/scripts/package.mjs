// Builds the .vsix. Usage: npm run package [-- --bundle [--python VERSION]...] [--unscanned] [--out FILE]
// Without --bundle it holds no server and runs everywhere. With --bundle it holds dllint and what dllint needs, for the
// platform it is built on (see bundle.py), and is marked for that platform. What is published is scanned for secrets, which takes
// long for a bundle; --unscanned leaves that out.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { createVSIX } from "@vscode/vsce";

const { values } = parseArgs({
  options: {
    bundle: { type: "boolean", default: false },
    unscanned: { type: "boolean", default: false },
    python: { type: "string", multiple: true, default: [] },
    out: { type: "string" },
  },
});
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const target = values.bundle ? `${process.platform}-${process.arch}` : undefined;
const packagePath = values.out ?? path.join("dist", ["dllint", target, version].filter(Boolean).join("-") + ".vsix");

function run(command, args) {
  const done = spawnSync(command, args, { stdio: "inherit" });
  if (done.error || done.status !== 0) throw new Error(`failed: ${command} ${args.join(" ")} ${done.error ?? ""}`);
}

rmSync("bundled/libs", { recursive: true, force: true });
if (values.bundle) run(process.env.PYTHON ?? "python3", ["scripts/bundle.py", ...values.python]);
run(process.execPath, ["scripts/build.mjs"]);
copyFileSync("../LICENSE", "LICENSE");
mkdirSync(path.dirname(packagePath), { recursive: true });
const scan = { allowPackageAllSecrets: values.unscanned, allowPackageEnvFile: values.unscanned };
await createVSIX({ packagePath, target, dependencies: false, allowMissingRepository: true, ...scan });
