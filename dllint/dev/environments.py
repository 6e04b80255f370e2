"""Record the environments that come with Gymnasium: spaces, and the type of rewards.

    python -m dllint.dev.environments     # needs gymnasium[classic-control,box2d,mujoco,toy-text]

Each environment of the registry is made and takes one step; what cannot be made here keeps the row it had.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import TYPE_CHECKING

from dllint.frameworks.gymnasium.known import PATH

if TYPE_CHECKING:
    import gymnasium

Row = dict[str, dict[str, list[int] | str | int] | str]


def space(found: gymnasium.Space[object]) -> dict[str, list[int] | str | int]:
    """A space as data: its class, with the number of its elements or the shape and type of its samples."""
    kind = type(found).__name__
    count = getattr(found, "n", None)
    if kind == "Discrete" and count is not None:
        return {"kind": kind, "count": int(count)}
    if found.shape is None:
        return {"kind": kind}
    return {"kind": kind, "shape": list(found.shape), "dtype": str(found.dtype)}


def recorded(name: str) -> Row:
    """What an environment is like.

    Raises what Gymnasium raises for one that cannot be made here.
    """
    import gymnasium

    made = gymnasium.make(name)
    made.reset(seed=0)
    reward = made.step(made.action_space.sample())[1]
    row: Row = {
        "observation": space(made.observation_space),
        "action": space(made.action_space),
        "reward": type(reward).__name__,
    }
    made.close()
    return row


def main() -> int:
    """Write the rows of all environments that can be made here; tell what the others need."""
    import gymnasium

    warnings.simplefilter("ignore")
    rows: dict[str, Row] = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    for name in gymnasium.registry:
        try:
            rows[name] = recorded(name)
        except Exception as error:  # it needs a package that is not here
            print(f"{name}: {error}", file=sys.stderr)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows[name])}" for name in sorted(rows))
    PATH.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
