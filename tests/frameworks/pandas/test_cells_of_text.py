"""What Python does with the texts of a column: they have characters, where the cells of numbers have no axes."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.harness import PATH

COLUMNS = (
    "table.iloc[:, 1].astype(str).tolist()",
    "table['b'].astype('str').to_list()",
    "table['b'].astype(str)",
    "table['b'].astype(str).values",
    "np.array(table['b'].astype(str))",
    "np.array(['10', '20', '30']).tolist()",
    "np.array(['10', '20', '30'])",
    "np.array([10, 20, 30]).astype(str)",
)
USES = (
    "chars = set()\nfor word in words:\n    chars.update(word)",
    "chars = []\nfor word in words:\n    chars.extend(word)",
    "chars = [character for word in words for character in word]",
    "first = [word[0] for word in words]",
    "ends = [word[-1:] + word[:1] for word in words]",
    "first, *rest = words[0]",
    "lengths = max(len(word) for word in words)",
    "joined = ''.join(words[1])",
    "letters = list(words[0])",
    "numbers = [sum(int(character) for character in word) for word in words]",
    "pairs = list(zip(words[0], words[1]))",
    "found = '1' in words[0]",
    "by_letter = {word[0]: [word] for word in words}",
    "turned = [''.join(reversed(word)) for word in words]",
)


@pytest.mark.parametrize(("column", "use"), list(product(COLUMNS, USES)))
def test_texts_have_characters(column, use, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    (tmp_path / "table.csv").write_text("a,b\n1,10\n2,20\n3,30\n")
    monkeypatch.chdir(tmp_path)
    text = f"import numpy as np\nimport pandas as pd\n\ntable = pd.read_csv('table.csv')\nwords = {column}\n{use}\n"
    exec(compile(text, "texts", "exec"), {})
    found = Session(Configuration(isolated=True)).check_bytes(PATH, text.encode()).findings
    assert not found, [finding.message for finding in found]


@pytest.mark.parametrize("use", ["first = numbers[0][0]", "all_of = [x for number in numbers for x in number]"])
def test_numbers_have_none(use):
    text = f"import numpy as np\n\nnumbers = np.array([10, 20, 30])\n{use}\n"
    with pytest.raises((IndexError, TypeError)):
        exec(compile(text, "numbers", "exec"), {})
    found = Session(Configuration(isolated=True)).check_bytes(PATH, text.encode()).findings
    assert [finding.code for finding in found] == ["DLT109"]
