import assert from "node:assert/strict";
import { test } from "node:test";
import type { Candidate } from "../src/discovery/candidates";
import { probe } from "../src/discovery/probe";

const running = (program: string, environment: Record<string, string> = {}): Candidate => ({
  source: "interpreter",
  // What follows the program are its arguments, `--version` among them.
  command: [process.execPath, "-e", program, "--"],
  environment,
});

test("what is printed comes back", async () => {
  assert.deepEqual(await probe(running("console.log('dllint 3.2.1', process.argv.at(-1))")), {
    kind: "printed",
    output: "dllint 3.2.1 --version\n",
  });
});

test("the candidate's environment is added to the process's own", async () => {
  const answer = await probe(running("console.log(process.env.ADDED, 'PATH' in process.env)", { ADDED: "yes" }));
  assert.deepEqual(answer, { kind: "printed", output: "yes true\n" });
});

test("the last line of an error is the reason", async () => {
  const answer = await probe(running("console.error('Traceback\\nNo module named dllint'); process.exit(1)"));
  assert.deepEqual(answer, { kind: "failed", reason: "No module named dllint" });
});

test("an interpreter in which it fails tells its version", async () => {
  const python: Candidate = { ...running(""), command: ["python3", "-m", "no_such_module_of_dllint"] };
  const answer = await probe(python);
  assert.equal(answer.kind, "failed");
  assert.match(("python" in answer ? answer.python : undefined) ?? "", /^3\.\d+$/);
});

test("a file that is not there is missing", async () => {
  const absent: Candidate = { ...running(""), command: ["/no/such/python"] };
  assert.deepEqual(await probe(absent), { kind: "missing" });
});
