"""The base of every rule.

A rule is one file with one class whose docstring is its documentation page (sections: What it finds / Why it is bad /
Bad / Good / When it stays silent / References). ``topics`` says what it is asked about: ``"fault:<kind>"`` an operation
with such a fault, ``"op:<kind>"`` a canonical operation, ``"event:<kind>"`` an event of the class in :mod:`dllint.ir.events`
that has this kind, ``"program"`` a whole trace. ``Rule[Fit]`` says that ``check`` takes what these topics give.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Event, Op, Program

if TYPE_CHECKING:
    from dllint.rules.context import Context


#: What there is in a program that trains, for ``needs``.
TRAINS: Final = ("event:backward", "event:step", "event:fit")
#: What a rule is asked about.
Item = TypeVar("Item", bound=Op | Event | Program, contravariant=True)


class Rule(ABC, Generic[Item]):
    """One catalogue entry. ``check`` gets what a topic names (an Op, an Event, or the Program) and the context, and
    yields findings; it raises nothing on odd input and stays silent on what is Unknown."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    confidence: ClassVar[Confidence]
    applicability: ClassVar[Applicability | None] = None
    frameworks: ClassVar[tuple[str, ...]] = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]]
    #: Of what a program must have something, or the rule finds nothing about it as a whole (topic ``"program"``) and is not
    #: asked: topics of events, and ``"call:<name>"``, a call of the library's function, method or class with this name, its
    #: beginning (``torch.nn.init.*``) or its end (``*.fit``). Empty: any program may be of interest.
    needs: ClassVar[tuple[str, ...]] = ()
    #: Of the calls of functions, methods and classes of libraries (topic ``"event:call"``), those it may find anything
    #: about, by their names, or the beginning or end of these as in ``needs``. Empty: ``may_concern`` tells.
    calls: ClassVar[tuple[str, ...]] = ()
    #: Codes whose findings this rule's finding at the same place makes redundant (catalogue §2.9).
    suppresses: ClassVar[tuple[str, ...]] = ()
    #: Whether its findings that say the same of places of one file have one cause, so that one of them tells of all.
    one_cause: ClassVar[bool] = False
    #: Catalogue default: reported by default (``on``), editor hint (``hint``), or only when selected (``off``).
    default: ClassVar[str] = "on"

    @classmethod
    def may_concern(cls, name: str) -> bool:
        """Whether it may find anything about a call of the library's function, method or class with this name (``event:call``),
        if ``calls`` does not tell. It is not asked about others."""
        return True

    @abstractmethod
    def check(self, item: Item, context: Context) -> Iterator[Finding]:
        """Findings for one item."""


#: A rule, whatever it is asked about.
AnyRule: TypeAlias = Rule[Any]
