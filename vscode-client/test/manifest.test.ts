import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

interface Setting {
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly scope?: string;
  readonly type?: unknown;
}

interface Step {
  readonly title: string;
  readonly description: string;
  readonly media: { readonly image: string; readonly altText: string };
}

interface Manifest {
  readonly version: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly walkthroughs: readonly { readonly id: string; readonly steps: readonly Step[] }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

// Unit tests run in the folder of the extension.
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const readme = readFileSync("README.md", "utf8");
const settings = manifest.contributes.configuration.properties;

test("every setting is described, scoped, and in the README", () => {
  for (const [name, setting] of Object.entries(settings)) {
    assert.ok(setting.markdownDescription, name);
    assert.ok(setting.scope, name);
    assert.ok(readme.includes(`\`${name}\``), `README: ${name}`);
  }
});

test("lists can be edited in the settings editor, which wants them to be nothing else", () => {
  for (const [name, { type }] of Object.entries(settings)) {
    assert.ok(!Array.isArray(type) || !type.includes("array"), name);
  }
});

test("the README names no setting that does not exist", () => {
  for (const [, name] of readme.matchAll(/[`"](dllint\.[\w.]+)[`"]/g)) {
    assert.ok(name === undefined || name in settings || name.endsWith(".toml"), name);
  }
});

test("every command is in the README and is registered", () => {
  const source = readFileSync("src/extension.ts", "utf8");
  for (const { command, title, category } of manifest.contributes.commands) {
    assert.equal(category, "dllint");
    assert.ok(readme.includes(title), `README: ${title}`);
    assert.ok(source.includes(`"${command}":`), command);
  }
});

test("every step of the walkthrough has a picture with a text for it, and buttons of commands that exist", () => {
  const known = manifest.contributes.commands.map(({ command }) => command);
  const [walkthrough] = manifest.contributes.walkthroughs;
  assert.ok(walkthrough && walkthrough.steps.length > 4);
  assert.ok(readFileSync("src/extension.ts", "utf8").includes(`"dllint.dllint#${walkthrough.id}"`));
  for (const { title, description, media } of walkthrough.steps) {
    assert.ok(existsSync(media.image) && media.altText, title);
    const buttons = [...description.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command ?? "");
    assert.equal(buttons.length, 1, title);
    assert.ok(buttons.every((command) => known.includes(command) || command.startsWith("workbench.action.")), title);
  }
});

test("settings that name what is run, or raise limits, are restricted in untrusted workspaces", () => {
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, [
    "dllint.path",
    "dllint.interpreter",
    "dllint.importStrategy",
    "dllint.configuration",
  ]);
});

test("the editor's interface is that of the oldest editor it runs in", () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies["@types/vscode"] ?? ""}`);
});

test("the changelog has the version", () => {
  assert.ok(readFileSync("CHANGELOG.md", "utf8").includes(`## ${manifest.version}\n`));
});

test("the scripts of pages are built and packaged", () => {
  const build = readFileSync("scripts/build.mjs", "utf8");
  const packaged = readFileSync(".vscodeignore", "utf8");
  const pages = ["src/editor/graphs.ts", "src/editor/summaries.ts"].map((file) => readFileSync(file, "utf8"));
  const scripts = pages.flatMap((text) => [...text.matchAll(/script: "(\w+)\.js"/g)].map(([, name]) => name ?? ""));
  assert.equal(scripts.length, pages.length);
  for (const name of scripts) {
    assert.ok(build.includes(`"${name}"`), name);
    assert.ok(packaged.includes(`!dist/${name}.js\n`), name);
  }
});
