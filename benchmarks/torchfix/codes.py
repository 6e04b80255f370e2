"""TorchFix's codes and the rules of dllint that tell of the same."""

from __future__ import annotations

from typing import Final

#: TorchFix's code → the rules that tell of the same. TOR106 to TOR108 are its numerical rules, TOR401 and TOR402 are off there
#: by default, TOR901 is about the repository of PyTorch itself.
RULES: Final[dict[str, tuple[str, ...]]] = {
    "TOR001": ("DLA102",),
    "TOR002": ("DLO114",),
    "TOR003": ("DLA103",),
    "TOR004": ("DLA102",),
    "TOR101": ("DLA102", "DLA103"),
    "TOR102": ("DLR106",),
    "TOR103": ("DLA102", "DLA103"),
    "TOR104": ("DLA103",),
    "TOR105": ("DLA103",),
    "TOR106": ("DLN105",),
    "TOR107": ("DLN105",),
    "TOR108": ("DLN105",),
    "TOR201": ("DLA103",),
    "TOR202": ("DLA103",),
    "TOR203": ("DLA109",),
    "TOR401": ("DLG109", "DLG110"),
    "TOR402": ("DLG109", "DLG110"),
    "TOR901": (),
}
