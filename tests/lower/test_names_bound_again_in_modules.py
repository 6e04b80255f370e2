"""Names of imported modules that several statements bind, some of them together with others: each holds what it does in a run,
whatever the importing program asks for first."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

#: Statements that bind ``a`` and ``b`` together, then one of them, or both, again.
TOGETHER = {
    "tuple": "a, b = torch.zeros(2, 3), torch.zeros(2, 4)",
    "nested": "(a, _), [b, c] = (torch.zeros(2, 3), 1), [torch.zeros(2, 4), 2]",
    "chain": "a = b = torch.zeros(2, 3)",
    "import": "from parts import a, b",
    "block": "if torch is not None:\n    a = torch.zeros(2, 3)\n    b = torch.zeros(2, 4)",
    "with": "with torch.no_grad():\n    a, b = torch.zeros(2, 3), torch.zeros(2, 4)",
}
AGAIN = {
    "one": "b = torch.cat([b, b], 1)",
    "the other": "a = torch.cat([a, a, a], 1)",
    "both": "a = a.repeat(1, 3)\nb = b.repeat(1, 2)",
    "each from the other": "a = torch.cat([a, b], 1)\nb = torch.cat([a, b], 1)",
    "with a third": "b, d = torch.cat([b, b], 1), 5\nd = torch.zeros(d)",
    "in place": "b = torch.cat([b, b], 1)\nb += 1",
}
ORDERS = ("ab", "ba")
MODULE = "import torch\n\n{together}\n{again}\n\n\ndef show():\n    return [{names}]\n"
MAIN = (
    "import torch\nfrom module import show\n\nfirst, second = show()\nprint(tuple(first.shape), tuple(second.shape))\n{last}\n"
)


def errors(folder: Path) -> list[str]:
    return [finding.code for finding in Session(Configuration(isolated=True)).check_file(folder / "main.py").findings]


@pytest.mark.parametrize(("together", "again", "order"), list(itertools.product(TOGETHER, AGAIN, ORDERS)))
def test_what_a_function_of_a_module_reads(together: str, again: str, order: str, tmp_path: Path) -> None:
    names = ", ".join(order)
    (tmp_path / "parts.py").write_text("import torch\na = torch.zeros(2, 3)\nb = torch.zeros(2, 4)\n", encoding="utf-8")
    text = MODULE.format(together=TOGETHER[together], again=AGAIN[again], names=names)
    (tmp_path / "module.py").write_text(text, encoding="utf-8")
    first, second = real_shapes(together, again, order)
    fits = f"first @ torch.zeros({first[1]}, 2), second @ torch.zeros({second[1]}, 2)"
    (tmp_path / "main.py").write_text(MAIN.format(last=fits), encoding="utf-8")
    assert errors(tmp_path) == []
    for size, name in ((first[1], "first"), (second[1], "second")):
        (tmp_path / "main.py").write_text(MAIN.format(last=f"{name} @ torch.zeros({size + 1}, 2)"), encoding="utf-8")
        assert errors(tmp_path) == ["DLT109"]


def real_shapes(together: str, again: str, order: str) -> list[tuple[int, ...]]:
    """The shapes in a run."""
    torch = pytest.importorskip("torch")
    names: dict[str, object] = {"torch": torch}
    parts = TOGETHER[together]
    exec(TOGETHER["tuple"] if parts.startswith("from") else parts, names)
    exec(AGAIN[again], names)
    return [tuple(getattr(names[name], "shape", ())) for name in order]
