"""The result for machines and browsers, and the tests that are written for culprits; one run of a small spec feeds all."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from dllint.bisection.errors import BisectionError
from dllint.bisection.report.page import page
from dllint.bisection.report.record import record
from dllint.bisection.report.schema import bisection_schema
from dllint.bisection.report.terminal import lines
from dllint.bisection.reproduction import operator_error, write_tests
from dllint.bisection.session import Options, laid_out, opened, searched
from dllint.bisection.spec import load

jsonschema = pytest.importorskip("jsonschema")
ROOT = Path(__file__).parents[2]
SPEC = '''\
"""A toy without any framework."""
from pathlib import Path
import numpy as np
from tests.bisection.toys import chain, labels, right, rows

reference = chain(6)
repaired = (Path(__file__).parent / "repaired").exists()
wrong = {} if repaired else {"t3": lambda h, f=reference.operators["t3"][0]: -f(h)}
candidate = reference.with_operator(**wrong)
x = rows()
samples = list(zip(x, labels(reference, x)))
per_sample = right
'''


@pytest.fixture(scope="module")
def bisected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spec")
    path = folder / "spec.py"
    path.write_text(SPEC)
    loaded = load(path)
    both = opened(loaded, Options())
    laid = laid_out(loaded, Options(), both, lambda text: None)
    return path, laid, searched(laid)


def test_the_record_has_the_documented_form(bisected):
    _, laid, found = bisected
    made = record(found, laid.bench.graph)
    jsonschema.validate(made, bisection_schema())
    (culprit,) = made["culprits"]
    assert culprit["operator"] == "t3"
    assert culprit["module"] == "blocks.3.inner"
    assert culprit["suspected"] == "sign: the value is negated"
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**made, "verdict": "perhaps"}, bisection_schema())


def test_the_published_schema_is_the_one_in_use():
    published = json.loads((ROOT / "docs" / "schema" / "bisection.schema.json").read_text())
    assert published == bisection_schema()


class Tags(HTMLParser):
    """Checks that elements are closed, and keeps what they refer to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("src", "href") and value]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(bisected):
    _, laid, found = bisected
    text = page(found, laid.bench.graph, laid.profile.steps)
    tags = Tags()
    tags.feed(text.replace("<!doctype html>", ""))
    assert tags.open == []
    assert tags.links == []
    assert not re.search("https?:", text)
    assert "<script" not in text
    assert 'class="profile line tone0"' in text
    assert re.search(r'<g class="guilty"><rect[^>]*></rect><text[^>]*>t3</text>', text)
    assert "sign: the value is negated" in text


def test_the_terminal_report_names_what_matters(bisected):
    _, laid, found = bisected
    text = "\n".join(lines(found, laid.bench.graph))
    assert "t3 in blocks.3.inner: costs" in text
    assert "suspected: sign" in text


def test_a_written_test_fails_until_the_candidate_is_repaired(bisected):
    path, laid, found = bisected
    (written,) = write_tests(path.parent / "tests", path, laid, found)
    command = [sys.executable, "-m", "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", str(written)]
    failed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert failed.returncode == 1, failed.stdout
    assert "operator_error" in failed.stdout
    (path.parent / "repaired").touch()
    passed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert passed.returncode == 0, passed.stdout
    with pytest.raises(BisectionError, match="no value for `t9`"):
        operator_error(path, "t9", written.with_name("t3.npz"))


def test_tests_cannot_be_written_into_a_file(bisected, tmp_path):
    path, laid, found = bisected
    (tmp_path / "file").touch()
    with pytest.raises(BisectionError, match="cannot write tests"):
        write_tests(tmp_path / "file", path, laid, found)
    assert np.isfinite(found.smallest_visible_drop)
