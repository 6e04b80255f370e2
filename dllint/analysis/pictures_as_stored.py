"""Networks of torchvision with weights of ImageNet that get pictures which nothing has normalised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.loader_scale import STORED, fed
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op
from dllint.ir.values import LibSymbol, unwrap

#: The functions that make networks which classify pictures; those that find objects normalise pictures themselves.
_NETWORKS: Final = re.compile(r"torchvision\.models\.[a-z]\w*")
#: How calls end that give a network other weights than those that it was made with.
_GIVES_WEIGHTS: Final = "load_state_dict"


@dataclass(frozen=True, slots=True)
class AsStored:
    """A network, its first layer where it takes the pictures, and the smallest and the largest number in these."""

    network: LibraryCall
    first: Op
    numbers: tuple[float, float]


def taken_as_stored(facts: Facts) -> Iterator[AsStored]:
    """The networks with weights of ImageNet that take what a loader gives, with the numbers of stored pictures: each once.

    None in programs that load weights of their own, which may be those of these networks.
    """
    calls = list(facts.events(LibraryCall))
    made = {id(call.site.node): call for call in calls if _NETWORKS.fullmatch(call.name) and is_pretrained(call)}
    if not made or any(call.name.endswith(_GIVES_WEIGHTS) for call in calls):
        return
    for op in facts.ops:
        site = op.layer.site if op.layer is not None else None
        network = made.get(id(site.node)) if site is not None else None
        given = fed(op) if network is not None else None
        if network is not None and given is not None and given.numbers in STORED:
            del made[id(network.site.node)]
            yield AsStored(network, op, given.numbers)


def is_pretrained(call: LibraryCall) -> bool:
    """Whether a network is made with published weights: by their name, an entry of their class, or ``pretrained=True``."""
    weights, more = unwrap(call.bound.get("weights")), call.bound.get("kwargs")
    old = more.get("pretrained") if isinstance(more, dict) else call.bound.get("pretrained")
    return isinstance(weights, (str, LibSymbol)) or unwrap(old) is True
