import assert from "node:assert/strict";
import { test } from "node:test";
import { label } from "../src/followed";

const told = (share: number | null) => ({ uri: "file:///net.py", version: 1, text: "Followed shapes of all operations.", share });

test("the share is told in whole percent, rounded down", () => {
  assert.equal(label(told(0.819)), "81 % of shapes known");
  assert.equal(label(told(0.999)), "99 % of shapes known");
  assert.equal(label(told(1)), "100 % of shapes known");
  assert.equal(label(told(0)), "0 % of shapes known");
});

test("without tensor code there is no share", () => {
  assert.equal(label(told(null)), "no tensor code");
});
