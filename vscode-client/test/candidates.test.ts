import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, distrustful, type Surroundings, type Wishes } from "../src/discovery/candidates";

const EVERYTHING: Surroundings = {
  activeInterpreter: "/env/bin/python",
  executableOnPath: "/usr/bin/dllint",
  pythonOnPath: "/usr/bin/python3",
  bundledLibs: "/extension/bundled/libs",
};
const NOTHING: Surroundings = {
  activeInterpreter: undefined,
  executableOnPath: undefined,
  pythonOnPath: undefined,
  bundledLibs: undefined,
};
const NO_WISH: Wishes = { path: [], interpreter: [], importStrategy: "fromEnvironment" };

const order = (wishes: Partial<Wishes>, around: Partial<Surroundings> = {}): string[] =>
  candidates({ ...NO_WISH, ...wishes }, { ...EVERYTHING, ...around }).map(
    ({ source, command }) => `${source}: ${command.join(" ")}`,
  );

test("the environment comes first, the bundled server last", () => {
  assert.deepEqual(order({}), [
    "interpreter: /env/bin/python -m dllint",
    "PATH: /usr/bin/dllint",
    "bundled: /env/bin/python -m dllint",
    "bundled: /usr/bin/python3 -m dllint",
  ]);
});

test("a path that the user names excludes everything else", () => {
  assert.deepEqual(order({ path: ["/a/dllint", "/b/dllint"], interpreter: ["/my/python"] }), [
    "setting: /a/dllint",
    "setting: /b/dllint",
  ]);
});

test("a named interpreter takes the place of the chosen one, with its arguments", () => {
  assert.equal(order({ interpreter: ["uv", "run", "python"] })[0], "interpreter: uv run python -m dllint");
  assert.ok(!order({ interpreter: ["/my/python"] }).some((candidate) => candidate.includes("/env/bin/python")));
});

test("the bundled server can be wished for", () => {
  assert.equal(order({ importStrategy: "useBundled" })[0], "bundled: /env/bin/python -m dllint");
});

test("without a bundle the wish for it falls back to the environment", () => {
  assert.deepEqual(order({ importStrategy: "useBundled" }, { bundledLibs: undefined, executableOnPath: undefined }), [
    "interpreter: /env/bin/python -m dllint",
  ]);
});

test("nothing on the machine gives no candidate", () => {
  assert.deepEqual(candidates(NO_WISH, NOTHING), []);
  assert.deepEqual(candidates(NO_WISH, { ...NOTHING, bundledLibs: "/extension/bundled/libs" }), []);
});

test("modules of the working directory are never imported", () => {
  const ways: Partial<Wishes>[] = [{}, { path: ["/a/dllint"] }, { interpreter: ["/my/python"] }, { importStrategy: "useBundled" }];
  for (const wishes of ways) {
    for (const { environment } of candidates({ ...NO_WISH, ...wishes }, EVERYTHING)) {
      assert.equal(environment["PYTHONSAFEPATH"], "1");
    }
  }
});

test("in a workspace that is not trusted, only full paths outside of it count", async () => {
  const isOfWorkspace = (file: string): Promise<boolean> => Promise.resolve(file.startsWith("/folder/"));
  const left = (wishes: Partial<Wishes>): Promise<Wishes> => distrustful({ ...NO_WISH, ...wishes }, isOfWorkspace);
  assert.deepEqual((await left({ path: ["/folder/dllint", "dllint", "./dllint", "/b/dllint"] })).path, ["/b/dllint"]);
  for (const interpreter of [["/folder/.venv/bin/python"], ["python"], ["uv", "run", "python"], ["bin/python"]]) {
    assert.deepEqual((await left({ interpreter })).interpreter, []);
  }
  assert.deepEqual((await left({ interpreter: ["/my/python", "-X", "dev"] })).interpreter, ["/my/python", "-X", "dev"]);
  assert.equal((await left({ importStrategy: "useBundled" })).importStrategy, "useBundled");
});

test("the bundled server sees its own libraries", () => {
  const [first] = candidates({ ...NO_WISH, importStrategy: "useBundled" }, EVERYTHING);
  assert.equal(first?.environment["PYTHONPATH"], "/extension/bundled/libs");
});
