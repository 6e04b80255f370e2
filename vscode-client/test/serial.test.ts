import assert from "node:assert/strict";
import { test } from "node:test";
import { Serial } from "../src/serial";

/** A task whose runs end when they are told to. */
function controlled(): { serial: Serial; runs: (() => void)[]; log: string[] } {
  const runs: (() => void)[] = [];
  const log: string[] = [];
  const serial = new Serial(async () => {
    const number = runs.length;
    log.push(`begin ${number}`);
    await new Promise<void>((resolve) => runs.push(resolve));
    log.push(`end ${number}`);
  });
  return { serial, runs, log };
}

test("requests during a run become one more run", async () => {
  const { serial, runs, log } = controlled();
  const first = serial.request();
  const later = [serial.request(), serial.request(), serial.request()];
  assert.deepEqual(log, ["begin 0"]);
  runs[0]?.();
  await first;
  await new Promise(setImmediate);
  runs[1]?.();
  await Promise.all(later);
  assert.deepEqual(log, ["begin 0", "end 0", "begin 1", "end 1"]);
});

test("after the last run a request starts at once", async () => {
  const { serial, runs, log } = controlled();
  const first = serial.request();
  runs[0]?.();
  await first;
  await new Promise(setImmediate);
  void serial.request();
  assert.deepEqual(log, ["begin 0", "end 0", "begin 1"]);
});

test("a run that fails tells its own requester, and the next one runs", async () => {
  let runs = 0;
  const serial = new Serial(() => (++runs === 1 ? Promise.reject(new Error("first")) : Promise.resolve()));
  const [first, second] = [serial.request(), serial.request()];
  await assert.rejects(first, /first/);
  await second;
  assert.equal(runs, 2);
});
