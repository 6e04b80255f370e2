"""Data that labelled programs read and that their repositories do not have, generated in its form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

PICTURE = 40 * 40


def install() -> None:
    """Let numpy and pandas give generated data for the files that are missing."""
    import numpy as np

    np.load = _instead(np.load, {"mnist_sequence1_sample_5distortions5x5.npz": _pictures})
    try:
        import pandas as pd
    except ImportError:
        return
    pd.read_csv = _instead(pd.read_csv, {"bmi.csv": _people})


def _instead(read: Callable[..., Any], made: dict[str, Callable[[], Any]]) -> Callable[..., Any]:
    def reading(source: Any, *args: Any, **options: Any) -> Any:
        name = Path(source).name if isinstance(source, str | Path) else ""
        return made[name]() if name in made and not Path(source).exists() else read(source, *args, **options)

    return reading


def _pictures() -> Any:
    """Cluttered digits of 40 by 40, as the spatial-transformer example has them."""
    import numpy as np

    out = {}
    for part, count in (("train", 1000), ("valid", 100), ("test", 100)):
        out[f"X_{part}"] = np.zeros((count, PICTURE), np.float32)
        out[f"y_{part}"] = np.arange(count).reshape(-1, 1) % 10
    return out


def _people() -> Any:
    """Heights, weights and what their ratio is called."""
    import pandas as pd

    count = 20_000
    labels = ("thin", "normal", "fat")
    return pd.DataFrame(
        {
            "height": [120 + at % 80 for at in range(count)],
            "weight": [35 + at % 45 for at in range(count)],
            "label": [labels[at % 3] for at in range(count)],
        }
    )
