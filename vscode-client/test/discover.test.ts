import assert from "node:assert/strict";
import { test } from "node:test";
import type { Candidate, Source } from "../src/discovery/candidates";
import { complaint } from "../src/discovery/complaint";
import { type Answer, commandLine, discover, type Probe } from "../src/discovery/discover";

const candidate = (command: string, source: Source = "interpreter"): Candidate => ({
  source,
  command: command.split(" ") as [string, ...string[]],
  environment: {},
});

const MODULE_MISSING: Answer = { kind: "failed", reason: "/env/bin/python: No module named dllint" };

const answering =
  (answers: Record<string, Answer>): Probe =>
  ({ command }) =>
    Promise.resolve(answers[command[0]] ?? { kind: "missing" });

test("the first server that answers is taken, and later ones are not asked", async () => {
  const asked: string[] = [];
  const found = await discover([candidate("a"), candidate("b"), candidate("c")], ({ command }) => {
    asked.push(command[0]);
    return Promise.resolve(command[0] === "b" ? { kind: "printed", output: "dllint 1.4.0\n" } : MODULE_MISSING);
  });
  assert.equal(found.server?.version, "1.4.0");
  assert.equal(found.server.candidate.command[0], "b");
  assert.deepEqual(asked, ["a", "b"]);
});

test("a server that is too old is passed over, and said to be", async () => {
  const found = await discover([candidate("/env/bin/python -m dllint")], answering({ "/env/bin/python": { kind: "printed", output: "dllint 0.0.9" } }));
  assert.equal(found.server, undefined);
  const { message, remedies, python } = complaint(found);
  assert.match(message, /dllint 0\.0\.9 .* is too old; this extension needs \d/);
  assert.deepEqual(remedies, ["upgrade", "settings"]);
  assert.equal(python, "/env/bin/python");
});

test("another program of that name is not a server", async () => {
  const found = await discover([candidate("/usr/bin/dllint", "PATH")], answering({ "/usr/bin/dllint": { kind: "printed", output: "7" } }));
  assert.equal(found.server, undefined);
  assert.match(found.rejected[0]?.reason ?? "", /does not answer/);
});

test("an interpreter without dllint: install it there", async () => {
  const found = await discover([candidate("/env/bin/python -m dllint")], answering({ "/env/bin/python": MODULE_MISSING }));
  assert.deepEqual(complaint(found), {
    message: "dllint is not installed for /env/bin/python.",
    remedies: ["install", "settings"],
    python: "/env/bin/python",
  });
});

const OLD: Answer = { kind: "failed", reason: "SyntaxError: invalid syntax", python: "3.8" };
const bundled = (command: string): Candidate => candidate(command, "bundled");

for (const hasBundled of [true, false]) {
  test(`an interpreter that is too old for dllint is named with its version (${hasBundled})`, async () => {
    const asked = [candidate("/old/python -m dllint"), ...(hasBundled ? [bundled("/old/python -m dllint")] : [])];
    const found = await discover(asked, answering({ "/old/python": OLD }));
    assert.equal(found.rejected[0]?.reason, "it is Python 3.8, and 3.11 or newer is needed");
    const { message, remedies } = complaint({ ...found, hasBundled });
    assert.equal(message, "dllint needs Python 3.11 or newer to run: /old/python is Python 3.8.");
    assert.deepEqual(remedies, ["interpreter", "settings", "restart"]);
  });
}

test("all interpreters that are too old are named", async () => {
  const asked = [candidate("/old/python -m dllint"), bundled("/old/python -m dllint"), bundled("/usr/bin/python3 -m dllint")];
  const found = await discover(asked, answering({ "/old/python": OLD, "/usr/bin/python3": { ...OLD, python: "3.10" } }));
  assert.match(complaint({ ...found, hasBundled: true }).message, /\/old\/python is Python 3\.8, \/usr\/bin\/python3 is Python 3\.10\.$/);
});

test("a new interpreter that lacks dllint is no old one", async () => {
  const found = await discover([candidate("/env/bin/python -m dllint")], answering({ "/env/bin/python": { ...MODULE_MISSING, python: "3.12" } }));
  assert.match(complaint(found).message, /is not installed for/);
});

test("no Python at all: the bundled server is there, the interpreter is not", async () => {
  for (const asked of [[], [bundled("/gone/python3 -m dllint")]]) {
    const { message, remedies } = complaint({ ...(await discover(asked, answering({}))), hasBundled: true });
    assert.match(message, /needs Python 3\.11 or newer to run, and no Python was found/);
    assert.ok(remedies.includes("restart"));
  }
});

test("a path that names nothing: the message names the path", async () => {
  const found = await discover([candidate("/gone/dllint", "setting")], answering({}));
  assert.match(complaint(found).message, /"dllint\.path" names \/gone\/dllint, but there is no such file\./);
});

test("nothing to try: no interpreter is chosen", async () => {
  assert.match(complaint(await discover([], answering({}))).message, /no Python interpreter is chosen/);
});

test("a command is shown as one would type it", () => {
  const spaced: Candidate = { ...candidate("x"), command: ["/my env/python", "-m", "dllint"] };
  assert.equal(commandLine(spaced), '"/my env/python" -m dllint');
});
