import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "../src/within";

test("what comes in time is passed on, errors too", async () => {
  assert.equal(await within(1000, Promise.resolve(7)), 7);
  await assert.rejects(within(1000, Promise.reject(new Error("broken"))), /broken/);
});

test("what never comes is an error", async () => {
  await assert.rejects(within(10, new Promise(() => undefined)), /no answer within 0\.01 seconds/);
});
