// Bundles the extension into dist/extension.js, or with `--tests` the unit tests into out/test/; `--watch` goes on rebuilding.
import { readdirSync, rmSync } from "node:fs";
import * as esbuild from "esbuild";

const shared = { bundle: true, platform: "node", target: "node18", format: "cjs", external: ["vscode"], logLevel: "warning" };
const extension = { ...shared, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true, sourcemap: true };

// What runs in the frames of graphs and summaries, where there is no Node.
const view = (name) => ({ ...shared, platform: "browser", format: "iife", entryPoints: [`src/${name}/view.ts`], outfile: `dist/${name}.js`, minify: true });
const views = ["graph", "summary"].map(view);

function tests() {
  rmSync("out", { recursive: true, force: true });
  const entryPoints = readdirSync("test").filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`);
  return { ...shared, entryPoints, outdir: "out/test", sourcemap: "inline" };
}

if (process.argv.includes("--watch")) {
  for (const one of [extension, ...views]) await (await esbuild.context(one)).watch();
} else {
  for (const one of process.argv.includes("--tests") ? [tests()] : [extension, ...views]) await esbuild.build(one);
}
