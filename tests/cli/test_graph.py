"""``dllint graph``: boxes, arrows, folding, findings and escaping, in Mermaid and SVG."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree

import pytest

NET = """\
import torch
from torch import nn


class {block}(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.{inner} = nn.Linear(c, c)

    def forward(self, x):
        return x + self.{inner}(x)


class {net}(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.blocks = {container}
        self.head = nn.Linear({given}, 3)

    def forward(self, x):
        x = self.stem(x)
        {apply}
        return self.head({between})


{net}()(torch.randn(2, 4))
"""
FORMS = {
    "list": ("nn.ModuleList([{block}(8) for _ in range({times})])", "for block in self.blocks: x = block(x)"),
    "stack": ("nn.Sequential(*[{block}(8) for _ in range({times})])", "x = self.blocks(x)"),
}
SVG = "{http://www.w3.org/2000/svg}"


def program(form="list", block="Block", inner="fc", net="Net", times=12, given=8, between="x"):
    container, apply = FORMS[form]
    container = container.format(block=block, times=times)
    return NET.format(block=block, inner=inner, net=net, container=container, apply=apply, given=given, between=between)


def drawn(dllint, tmp_path, text, *options, model=""):
    (tmp_path / "net.py").write_text(text)
    shown = dllint("graph", f"{tmp_path / 'net.py'}{model}", "--python", "none", *options)
    assert shown.status == 0, shown.err
    return shown.out


def boxes(text):
    """Mermaid's boxes by name: their labels without what stands below the first line."""
    return dict(re.findall(r'(n\d+)[(\[]+"(.*?)(?:<br/>.*)?"[)\]]+$', text, re.MULTILINE))


def arrows(text):
    names = boxes(text)
    return {(names[a], label, names[b]) for a, label, b in re.findall(r'(n\d+) -->(?:\|"(.*?)"\|)? (n\d+)', text)}


@pytest.mark.parametrize(("form", "names"), [*product(FORMS, [("Block", "fc", "Net"), ("B", "linear", "Été")])])
def test_blocks_in_a_row_are_one_box_with_the_way_through_it(dllint, tmp_path, form, names):
    block, inner, _ = names
    text = drawn(dllint, tmp_path, program(form, *names))
    wide = "f32[2, 8]"
    assert arrows(text) == {
        ("input", "f32[2, 4]", "stem: Linear"),
        ("stem: Linear", wide, "add"),
        ("stem: Linear", wide, f"{inner}: Linear"),
        (f"{inner}: Linear", wide, "add"),
        ("add", wide, "head: Linear"),
        ("head: Linear", "f32[2, 3]", "output"),
    }
    assert f"0: {block} × 12<br/>72 parameters each" in text
    assert list(boxes(text).values()).count("add") == 1
    assert "in_features=4, out_features=8<br/>40 parameters" in text


@pytest.mark.parametrize("form", FORMS)
def test_depth_hides_parts_and_counts_them(dllint, tmp_path, form):
    text = drawn(dllint, tmp_path, program(form), "--depth", "1")
    assert arrows(text) == {
        ("input", "f32[2, 4]", "stem: Linear"),
        ("stem: Linear", "f32[2, 8]", next(label for label in boxes(text).values() if label.startswith("blocks"))),
        (next(label for label in boxes(text).values() if label.startswith("blocks")), "f32[2, 8]", "head: Linear"),
        ("head: Linear", "f32[2, 3]", "output"),
    }
    assert "12 parts" in text


KEPT = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])

    def forward(self, x):
        {body}


Net()(torch.randn(2, 8))
"""


@pytest.mark.parametrize(
    ("body", "is_folded"),
    [
        ("for layer in self.layers: x = layer(x)\n        return x", True),
        ("return sum(layer(x) for layer in self.layers)", False),
        ("return torch.cat([layer(x) for layer in self.layers], 1)", False),
        ("a = self.layers[0](x)\n        b = self.layers[1](a)\n        return self.layers[3](self.layers[2](b)) + a", False),
    ],
)
def test_only_what_is_called_in_turn_is_folded(dllint, tmp_path, body, is_folded):
    assert ("Linear × 4" in drawn(dllint, tmp_path, KEPT.format(body=body))) == is_folded


def test_a_flat_stack_of_three_hundred_layers_is_readable(dllint, tmp_path):
    layers = "*[layer for _ in range(150) for layer in (nn.Linear(64, 64), nn.ReLU())]"
    text = drawn(
        dllint, tmp_path, f"import torch\nfrom torch import nn\n\nnet = nn.Sequential({layers})\nnet(torch.ones(2, 64))\n"
    )
    assert len(boxes(text)) < 8
    assert "1: ReLU × 150" in text


@pytest.mark.parametrize("between", ["x", "x.relu()", "torch.relu(x)"])
def test_findings_are_marked(dllint, tmp_path, between):
    wrong = drawn(dllint, tmp_path, program(given=9, between=between))
    (name,) = re.findall(r"class (n\d+) wrong", wrong)
    assert boxes(wrong)[name] == "head: Linear"
    assert "wrong: DLT101" in wrong
    assert " wrong\n" not in drawn(dllint, tmp_path, program(between=between)).replace("classDef wrong", "")


KERAS = """\
import keras
from keras import layers

inputs = keras.Input((4,))
x = layers.Dense(8, name={name!r})(inputs)
y = layers.Dense(8)(x)
net = keras.Model(inputs, layers.Dense(3)(layers.Add()([x, y])))
stack = keras.Sequential([layers.Input((4,)), layers.Dense(8, name={name!r}), layers.Dense(3)])
"""
HOSTILE = [
    "</text><script>alert(1)</script>",
    '"] --> n1; click n1 href "javascript:alert(1)"',
    "a\x1b[31m\x00b\u202ec",
    "<input>",
    "&lt;svg onload=alert(1)&gt;",
    "]]><![CDATA[",
]


@pytest.mark.parametrize(("model", "name"), [*product(["net", "stack"], HOSTILE[:2]), *(("net", name) for name in HOSTILE[2:])])
def test_names_are_text_and_nothing_else(dllint, tmp_path, model, name):
    source = KERAS.format(name=name)
    text = drawn(dllint, tmp_path, source, model=f":{model}")
    assert all(c.isprintable() or c == "\n" for c in text)
    assert not re.search(r'<|&|click n1 href "', text.replace("<br/>", ""))
    image = ElementTree.fromstring(drawn(dllint, tmp_path, source, "--format", "svg", model=f":{model}"))
    allowed = {"svg", "title", "desc", "style", "g", "rect", "text", "path"}
    assert {element.tag.removeprefix(SVG) for element in image.iter()} <= allowed
    assert not [key for element in image.iter() for key in element.attrib if key.startswith("on") or "href" in key]


def test_an_image_is_accessible_and_fetches_nothing(dllint, tmp_path):
    drawn(dllint, tmp_path, program(given=9), "-o", str(tmp_path / "net.svg"))
    content = (tmp_path / "net.svg").read_text(encoding="utf-8")
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", content)
    image = ElementTree.fromstring(content)
    assert image.find(f"{SVG}title").text == "Net"
    assert "parameters" in image.find(f"{SVG}desc").text
    items = [element for element in image.iter() if element.get("role") == "treeitem"]
    labels = {element.get("aria-label").partition(";")[0]: element for element in items}
    assert "takes f32[2, 8] from blocks: ModuleList" in labels["head: Linear"].get("aria-label")
    assert "wrong: DLT101" in labels["head: Linear"].get("aria-label")
    assert labels["stem: Linear"].get("data-line") == "17"
    check_places(image)


def check_places(image):
    """No box lies on another one, and each in its holder."""
    for holder in image.iter(f"{SVG}g"):
        parts = [extent(part) for part in holder.findall(f"{SVG}g") if part.get("role") == "treeitem"]
        rect = holder.find(f"{SVG}rect")
        width, height = (float(rect.get(side)) for side in ("width", "height")) if rect is not None else (1e9, 1e9)
        for number, (x, y, right, bottom) in enumerate(parts):
            assert 0 <= x <= right <= width + 0.1
            assert 0 <= y <= bottom <= height + 0.1
            assert all(right <= a or c <= x or bottom <= b or d <= y for a, b, c, d in parts[:number])


def extent(part):
    x, y = map(float, re.findall(r"[-\d.]+", part.get("transform")))
    rect = part.find(f"{SVG}rect")
    return x, y, x + float(rect.get("width")), y + float(rect.get("height"))


def test_a_class_within_a_model_and_a_model_that_is_not_called(dllint, tmp_path):
    assert ("fc: Linear", "f32[2, 8]", "add") in arrows(drawn(dllint, tmp_path, program(), model=":Block"))
    text = "from torch import nn\n\nnet = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))\n"
    shown = drawn(dllint, tmp_path, text)
    assert {(a, b) for a, _, b in arrows(shown)} == {("0: Linear", "1: ReLU"), ("1: ReLU", "2: Linear")}
    assert "It is not called" in shown


def test_several_models_are_named(dllint, tmp_path):
    (tmp_path / "net.py").write_text(KERAS.format(name="a"))
    shown = dllint("graph", str(tmp_path / "net.py"), "--python", "none")
    assert shown.status == 2
    assert "has 2 models" in shown.err
    assert "Functional, Sequential" in shown.err
