import assert from "node:assert/strict";
import { test } from "node:test";
import { Folding } from "../src/graph/folding";
import { page } from "../src/graph/page";
import { actionOf, wishOf } from "../src/page/keys";

const frame = { script: "https://host/graph.js", source: "https://host", nonce: "0123" };
const drawn = { svg: "<svg></svg>", style: ".diagram { color: red }", title: 'Net"><script>', model: "Net" };

test("a graph may load its own script and nothing else", () => {
  const text = page(drawn, frame);
  assert.ok(text.includes(`content="default-src 'none'; style-src 'nonce-0123'; script-src https://host"`));
  assert.ok(!/unsafe|connect-src|img-src/.test(text));
  assert.equal(text.match(/<script/g)?.length, 1);
  assert.equal(text.match(/<style/g)?.length, 1);
});

test("names and styles cannot leave their place", () => {
  const text = page({ ...drawn, style: "a</style><script>" }, frame);
  assert.ok(text.includes("<title>Net&quot;&gt;&lt;script&gt;</title>"));
  assert.equal(text.match(/<script/g)?.length, 1);
});

test("keys move, open, close and go; those of the editor are left to it", () => {
  const key = (name: string, ctrlKey = false) => actionOf({ key: name, ctrlKey, altKey: false, metaKey: false });
  assert.deepEqual(["Enter", "ArrowRight", "ArrowLeft", "ArrowDown", "Home", "x"].map((name) => key(name)), [
    "go", "open", "close", "next", "first", undefined,
  ]);
  assert.equal(key("ArrowDown", true), undefined);
});

test("only messages of the page are understood", () => {
  assert.deepEqual(wishOf({ kind: "go", line: 3, more: 1 }), { kind: "go", line: 3 });
  assert.deepEqual(wishOf({ kind: "fold", key: "m:a", isOpen: false }), { kind: "fold", key: "m:a", isOpen: false });
  for (const other of [null, "go", {}, { kind: "go", line: "3" }, { kind: "go", line: 0 }, { kind: "fold", key: 3, isOpen: true }]) {
    assert.equal(wishOf(other), undefined);
  }
});

test("a box is opened or closed, whatever it was before", () => {
  const folding = new Folding();
  folding.set("m:a", true);
  folding.set("m:b", false);
  folding.set("m:a", false);
  assert.deepEqual([folding.opened, folding.closed], [[], ["m:b", "m:a"]]);
});
