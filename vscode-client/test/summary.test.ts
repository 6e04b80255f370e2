import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../src/summary/page";
import { hiddenOf } from "../src/summary/rows";

const frame = { script: "https://host/summary.js", source: "https://host", nonce: "0123" };
const summary = { table: "<table></table>", style: ".treegrid { color: red }", title: 'Net"><script>', model: "Net" };

test("a summary may load its own script and nothing else", () => {
  const text = page(summary, frame);
  assert.ok(text.includes(`content="default-src 'none'; style-src 'nonce-0123'; script-src https://host"`));
  assert.ok(!/unsafe|connect-src|img-src/.test(text));
  assert.equal(text.match(/<script/g)?.length, 1);
  assert.ok(text.includes("<title>Net&quot;&gt;&lt;script&gt;</title>"));
});

test("rows below a closed one are hidden, to the next one of its level", () => {
  const rows: [number, boolean | undefined][] = [[1, true], [2, false], [3, true], [4, undefined], [2, true], [3, undefined], [1, false], [2, undefined]];
  const hidden = hiddenOf(rows.map(([level, isOpen]) => ({ level, isOpen })));
  assert.deepEqual(hidden, [false, false, true, true, false, false, false, true]);
});
