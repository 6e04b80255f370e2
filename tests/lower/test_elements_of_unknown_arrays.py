"""An element of an array of unknown type may be a text: what is taken of it is not known."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

HEAD = "import numpy as np\nimport torch\n\nlines = open('words').read().split()\n"
ARRAYS = (
    "np.array(lines)",
    "np.delete(np.array(lines), 0)",
    "np.array(lines).reshape(-1, 2)[:, 0]",
    "np.unique(np.array(lines))",
    "np.concatenate([np.array(lines), np.array(lines)])",
)
USES = (
    "for x, y in zip(words[1], words[2]):\n    print(x, y)",
    "print(words[1][0])",
    "print(words[1][:3])",
    "for letter in words[2]:\n    print(letter)",
    "first = [word[0] for word in words]",
    "def lead(word):\n    return word[0]\n\n\nprint(lead(words[1]))",
)


@pytest.mark.parametrize(("array", "use"), list(product(ARRAYS, USES)))
def test_letters_of_words(array, use, tmp_path, monkeypatch):
    text = f"{HEAD}words = {array}\n{use}\n"
    (tmp_path / "words").write_text("these are some of the words")
    monkeypatch.chdir(tmp_path)
    exec(compile(text, "words", "exec"), {})
    assert reports(text) == []


@pytest.mark.parametrize("index", ["[1, 0]", "[1][0]", "[:, 0]"])
def test_elements_of_numbers_have_no_elements(index):
    assert reports(f"import numpy as np\nimport torch\n\nnumbers = np.zeros(4)\nprint(numbers{index})\n")
