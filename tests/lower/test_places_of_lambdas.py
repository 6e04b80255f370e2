"""An operation in a lambda stands where the lambda is written, whoever calls it, in this document or in another one."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from dllint.lower.document import lower_document
from dllint.source.document import Document
from dllint.source.workspace import Workspace

#: Ways in which a lambda reaches the helper that calls it.
_WRITTEN = {
    "argument": "y = applied(lambda v: torch.relu(v), x)",
    "name": "act = lambda v: torch.relu(v)\n    y = applied(act, x)",
    "default": "y = applied((lambda v, f=torch.relu: f(v)), x)",
    "nested": "y = applied(lambda v: applied(lambda w: torch.relu(w), v), x)",
    "in a dict": "acts = {'relu': lambda v: torch.relu(v)}\n    y = applied(acts['relu'], x)",
    "in a list": "for act in [lambda v: torch.relu(v)]:\n        y = applied(act, x)",
    "conditional": "y = applied(lambda v: v if v is None else torch.relu(v), x)",
    "returned": "act = (lambda f: lambda v: f(v))(lambda w: torch.relu(w))\n    y = applied(act, x)",
    "partial": "y = applied(functools.partial(lambda scale, v: scale * torch.relu(v), 2), x)",
    "in a with": "with torch.no_grad():\n        act = lambda v: torch.relu(v)\n    y = applied(act, x)",
}
_HELPER = "def applied(function, value):\n    if value is not None:\n        return function(value)\n    return value\n"


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("written", _WRITTEN)
def test_an_operation_of_a_lambda_stands_where_the_lambda_is_written(tmp_path: Path, written: str, elsewhere: bool):
    (tmp_path / "helpers.py").write_text(_HELPER)
    text = "import functools\nimport torch\n" + ("from helpers import applied\n\n\n" if elsewhere else f"\n\n{_HELPER}\n\n")
    text += textwrap.dedent(f"""\
        def entry():
            x = torch.zeros(2, 3)
            {_WRITTEN[written].replace(chr(10), chr(10) + "        ")}
            return y
    """)
    path = tmp_path / "script.py"
    path.write_text(text)
    lowered = lower_document(Document.open(path), Workspace([tmp_path]))
    found = [op for program in lowered.programs for op in program.ops if op.kind == "relu"]
    assert found
    for op in found:
        span = op.site.document.span(op.site.statement, op.site.node)
        line = op.site.document.text.splitlines()[span.first.line - 1]
        assert "lambda" in line
