"""Which public files are written for an older release, and a draw of them by lot."""

from __future__ import annotations

import ast
import random
import re
import warnings
from pathlib import Path

#: Goal → what must stand in a file, and a sign of the older release.
SIGNS = {
    "keras3": (
        re.compile(r"^\s*(?:from|import)\s+(?:tensorflow\.)?keras\b|from tensorflow import keras", re.MULTILINE),
        re.compile(
            r"from keras\.(?:layers\.(?:core|convolutional|normalization|recurrent)|utils import np_utils|utils\.np_utils)"
            r"|fit_generator\(|nb_epoch\s*=|border_mode\s*=|K\.int_shape|predict_classes\(|Model\([^)]*input\s*="
        ),
    ),
    "tf2": (re.compile(r"^\s*import tensorflow", re.MULTILINE), re.compile(r"tf\.(?:placeholder|Session)\(")),
    "torch2": (
        re.compile(r"^\s*(?:from|import)\s+torch\b", re.MULTILINE),
        re.compile(
            r"torch\.(?:ger|symeig|solve|qr|chain_matmul|lstsq|gels)\(|size_average\s*=|pretrained=True|cuda\.amp"
            r"|volatile=True|functorch"
        ),
    ),
}
_LARGEST = 60_000


def candidates(peers: Path) -> dict[str, list[Path]]:
    """The files of all checkouts, by the goal that they are migrated to; those for Python 2 are left out."""
    found: dict[str, list[Path]] = {name: [] for name in SIGNS}
    for folder in sorted(peers.iterdir()):
        if folder.name.startswith("pypi+") or not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*.py")):
            if (goal := goal_of(path)) is not None:
                found[goal].append(path)
    return found


def goal_of(path: Path) -> str | None:
    """The first goal that a file is a candidate for."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    goal = next((name for name, (needed, sign) in SIGNS.items() if needed.search(text) and sign.search(text)), None)
    return goal if goal is not None and len(text) < _LARGEST and parses(text) else None


def parses(text: str) -> bool:
    """Whether today's Python reads a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return False
    return True


def drawn(peers: Path, each: int, seed: int) -> dict[str, list[Path]]:
    """So many files of each goal, one of each repository before a second one."""
    lot = random.Random(seed)
    out = {}
    for goal, paths in candidates(peers).items():
        by_folder: dict[str, list[Path]] = {}
        for path in paths:
            by_folder.setdefault(path.relative_to(peers).parts[0], []).append(path)
        groups = [lot.sample(group, len(group)) for group in by_folder.values()]
        lot.shuffle(groups)
        rounds = max(map(len, groups), default=0)
        out[goal] = [group[at] for at in range(rounds) for group in groups if at < len(group)][:each]
    return out
