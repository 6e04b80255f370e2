"""What a program builds of Keras, in order: the names that Keras makes count over all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from dllint.analysis.modules import library_of
from dllint.analysis.own_statements import repeating
from dllint.ir.events import Construction, Instance, LibraryCall, LoopEdge
from dllint.ir.program import Event, Site
from dllint.ir.values import InstanceVal

#: The end of the names of functions after which Keras counts anew.
_ANEW: Final = (".clear_session", ".reset_uids")


@dataclass(slots=True)
class Built:
    """The objects that a program builds, with what is known of their numbers. By when they were born: ``doubtful`` are those of
    which it is not known whether they are built, or how often; ``first`` those that come first after Keras counts anew."""

    objects: list[InstanceVal] = field(default_factory=list)
    doubtful: set[int] = field(default_factory=set)
    first: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Built:
        """What is built by these events."""
        built, anew = cls(), False
        where: list[tuple[InstanceVal, Site]] = []
        in_loop: set[int] = set()
        loops = 0
        for event in events:
            if isinstance(event, LoopEdge):
                loops += 1 if event.phase == "enter" else -1
            elif isinstance(event, LibraryCall):
                anew |= event.name.endswith(_ANEW)
            elif isinstance(event, (Construction, Instance)) and _is_counted(event.instance):
                built.objects.append(event.instance)
                where.append((event.instance, event.site))
                if event.path:
                    built.doubtful.add(event.instance.born)
                if loops:
                    in_loop.add(event.instance.born)
                if anew:
                    built.first.add(event.instance.born)
                    anew = False
        times = Counter(_way(site) for _, site in where)
        for instance, site in where:
            # What a loop builds once is what each of its passes builds, whose number is not known.
            if times[_way(site)] == 1 and (instance.born in in_loop or repeating(site)[1] is not None):
                built.doubtful.add(instance.born)
        return built


def _way(site: Site) -> tuple[int, ...]:
    return tuple(id(one.node) for one in site.stack())


def _is_counted(instance: InstanceVal) -> bool:
    """Whether an object is a layer or model of Keras, also one of the user's own."""
    layer = instance.layer
    return layer.row.framework == "keras" if layer is not None else library_of(instance.cls) == "keras"
