import assert from "node:assert/strict";
import { test } from "node:test";
import { type Next, Recovery } from "../src/recovery";

/** A recovery with a clock of its own. */
function watched(): { recovery: Recovery; pass: (seconds: number) => void; dies: (seconds?: number) => Next } {
  let time = 0;
  const recovery = new Recovery(() => time);
  const pass = (seconds: number): void => {
    time += 1000 * seconds;
  };
  const dies = (seconds = 1): Next => {
    recovery.ran();
    pass(seconds);
    return recovery.ended("it has ended");
  };
  return { recovery, pass, dies };
}

test("a server that dies is started again at once, but not for ever", () => {
  const { dies } = watched();
  assert.deepEqual([dies(), dies()], [{ kind: "again" }, { kind: "again" }]);
  assert.deepEqual(dies(), { kind: "later", wait: 30_000, tell: true });
});

test("there is one message for one cause, however often it is tried", () => {
  const { dies, pass } = watched();
  const told = Array.from({ length: 20 }, () => {
    pass(700);
    return dies(0.1);
  });
  const spread = told.filter((next) => next.kind === "later" && next.tell);
  assert.equal(spread.length, 0);
  const quick = watched();
  const all = Array.from({ length: 20 }, () => quick.dies(0.1));
  assert.equal(all.filter((next) => next.kind === "later" && next.tell).length, 1);
  assert.deepEqual(all.at(-1), { kind: "later", wait: 600_000, tell: false });
});

test("a server that never comes up is told at once, and tried again later", () => {
  const { recovery } = watched();
  assert.deepEqual(recovery.ended("it does not start"), { kind: "later", wait: 30_000, tell: true });
  assert.deepEqual(recovery.ended("it does not start"), { kind: "later", wait: 120_000, tell: false });
  assert.deepEqual(recovery.ended("another reason"), { kind: "later", wait: 600_000, tell: true });
});

test("a server that has run for long has a new start", () => {
  const { dies } = watched();
  for (let death = 0; death < 5; death++) dies();
  assert.deepEqual(dies(200), { kind: "again" });
});

test("whoever restarts is told again", () => {
  const { recovery, dies } = watched();
  for (let death = 0; death < 5; death++) dies();
  recovery.reset();
  assert.deepEqual([dies(), dies()], [{ kind: "again" }, { kind: "again" }]);
  assert.deepEqual(dies(), { kind: "later", wait: 30_000, tell: true });
});

test("a server that was not found is looked for now and then", () => {
  const { recovery, pass } = watched();
  assert.equal(recovery.looksAgain(), true);
  pass(1);
  assert.equal(recovery.looksAgain(), false);
  pass(10);
  assert.equal(recovery.looksAgain(), true);
});
