"""The state of the interpreter: every field has a policy, and a new field is recorded, undone and replayed as it declares."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields, make_dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dllint.frameworks.machine import HANDLERS
from dllint.ir.printer import Printer
from dllint.lower import incremental, state
from dllint.lower.document import Lowered, lower_document
from dllint.lower.incremental import IncrementalLowering
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options
from dllint.lower.state import RECORDS, Control, Facts, Log, Policy, Run, Trail, policies
from dllint.source.document import Document

#: Kinds of values that a field of a policy may hold.
KINDS: dict[Policy, tuple[type, ...]] = {
    Policy.PLACE: (int, tuple, type(None)),
    Policy.HELD: (tuple, dict),
    Policy.SHARED: (dict, Log),
    Policy.DONE: (dict, Log),
    Policy.RUN: (dict, bool, type(None)),
    Policy.SPENT: (int,),
    Policy.LIMIT: (int,),
    Policy.FACT: (Facts,),
}


def interpreter() -> Interpreter:
    return Interpreter(Document.from_text(Path("m.py"), ""), None, Options())


def test_the_interpreter_has_no_state_but_its_records():
    given, present = {"document", "workspace", "options"}, {"journal", "program", "frame"}
    assert set(vars(interpreter())) == given | present | set(RECORDS)


def test_every_field_declares_what_becomes_of_it():
    m = interpreter()
    wrong = []
    for name, record in RECORDS.items():
        assert type(getattr(m, name)) is record
        for one, policy in policies(record).items():
            value = getattr(getattr(m, name), one)
            if policy in KINDS and not isinstance(value, KINDS[policy]):
                wrong.append((name, one, policy, type(value)))
    assert wrong == []


@pytest.mark.parametrize("record", RECORDS.values(), ids=list(RECORDS))
def test_a_field_without_a_policy_is_refused(record):
    more = make_dataclass("More", [("forgotten", dict, field(default_factory=dict))], bases=(record,), kw_only=True)
    with pytest.raises(TypeError, match="forgotten"):
        policies(more)


def test_a_statement_that_fails_sets_back_every_field_of_the_place():
    control = Control()
    mark = control.mark()
    for one in fields(Control):
        setattr(control, one.name, (object(),))
    control.recover(mark)
    fresh = Control()
    assert [one.name for one in fields(Control) if getattr(control, one.name) != getattr(fresh, one.name)] == ["changed"]


def test_a_run_that_is_taken_back_leaves_nothing_of_what_it_has_done():
    trail = Trail()
    done = state.names_of(Trail, Policy.DONE)
    for number in range(2):
        if number == 1:
            before = trail.mark()
        for name in done:
            held = getattr(trail, name)
            if isinstance(held, dict):
                held[number] = number
            else:
                held.append(number)
    trail.take_back(before)
    assert {name: list(getattr(trail, name)) for name in done} == {name: [0] for name in done}


def test_what_is_true_of_an_object_keeps_it_alive_and_is_not_changed():
    facts: Facts[object, int] = Facts()
    keys = [object() for _ in range(100)]
    for number, key in enumerate(keys):
        assert facts.note(key, number) == number
        assert facts.note(key, -1) == number
    numbers = {id(key) for key in keys}
    del keys, key
    assert not numbers & {id(object()) for _ in range(1000)}
    assert len(facts) == 100


# --- a field that is added ------------------------------------------------------------------------------------------------

CHUNKS = (
    "import torch\n",
    "a = torch.zeros(torch.counted())\n",
    "torch.counted()\n",
    "b = torch.ones(torch.counted())\n",
    "def first(x):\n    return torch.zeros(torch.counted())\n",
    "class Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.zeros(torch.counted(), torch.counted())\n",
    "c = torch.ones(torch.counted())\n",
    "def second(x, flag=True):\n    if flag:\n        torch.counted()\n    return torch.zeros(torch.counted())\n",
    "width = 3\n",
    "d = torch.ones(torch.counted(), width)\n",
)


def with_field(record: type, policy: Policy, make: Callable[[], Any]) -> type:
    """A record with one field more, ``extra``."""

    @dataclass(slots=True)
    class More(record):
        extra: Any = field(default_factory=make, metadata=policy.declared)

    return More


def count_in_dict(holder: Any) -> int:
    holder.extra["count"] = holder.extra.get("count", 0) + 1
    return holder.extra["count"]


def count_in_log(holder: Any) -> int:
    holder.extra.append(object())
    return len(holder.extra)


def count_in_number(holder: Any) -> int:
    holder.extra += 1
    return holder.extra


#: Record, policy and kind of a field that is added, and how a count is kept in it.
ADDED = {
    "a table": ("trail", Policy.SHARED, dict, count_in_dict),
    "a log": ("trail", Policy.SHARED, Log, count_in_log),
    "a table of what has been done": ("trail", Policy.DONE, dict, count_in_dict),
    "a log of what has been done": ("trail", Policy.DONE, Log, count_in_log),
    "a table of the run": ("run", Policy.RUN, dict, count_in_dict),
    "a number of the place": ("control", Policy.PLACE, int, count_in_number),
}


def add(monkeypatch: pytest.MonkeyPatch, name: str, policy: Policy, make: Callable[[], Any], count: Callable[..., int]) -> None:
    """Give a record one field more, and let ``torch.counted()`` count in it."""
    known, record = RECORDS[name], with_field(RECORDS[name], policy, make)
    for module in [module for path, module in sys.modules.items() if path.startswith("dllint.lower.")]:
        if vars(module).get(known.__name__) is known:
            monkeypatch.setattr(module, known.__name__, record)
    monkeypatch.setitem(RECORDS, name, record)
    monkeypatch.setitem(HANDLERS, "torch.counted", lambda m, _receiver, _arguments: count(getattr(m, name)))


def shown(lowered: Lowered) -> list[str]:
    return [Printer(with_events=True).program(program) for program in (*lowered.programs, *lowered.settings)]


def edited(chunks: list[str], random: Random) -> list[str]:
    """Chunks of which one is moved, left out, written twice, or changed."""
    place, kind = random.randrange(1, len(chunks)), random.randrange(4)
    one = chunks[place]
    rest = chunks[:place] + chunks[place + 1 :]
    if kind == 0:
        rest.insert(random.randrange(1, len(rest) + 1), one)
        return rest
    if kind == 1 and len(rest) > 4:
        return rest
    if kind == 2:
        return [*chunks[:place], one, *chunks[place:]]
    return [*chunks[:place], f"{one.rstrip()}  # {random.randrange(1000)}\n", *chunks[place + 1 :]]


def stale_and_kept(seed: int) -> tuple[int, int]:
    """After how many of 25 edits the answer is not that of a fresh start, and how many programs were kept over them."""
    random, chunks = Random(seed), list(CHUNKS)
    document = Document.from_text(Path("m.py"), "".join(chunks))
    lowering = IncrementalLowering(document, None, Options())
    first = lowering.lower(document)
    assert first is not None
    known = first.programs
    stale = kept = 0
    for _ in range(25):
        chunks = edited(chunks if random.random() < 0.8 else list(CHUNKS), random)
        document = document.edit("".join(chunks))
        lowered = lowering.lower(document)
        assert lowered is not None
        assert not lowered.failures
        fresh = lower_document(Document.from_text(Path("m.py"), document.text))
        stale += shown(lowered) != shown(fresh)
        kept += len({id(program) for program in lowered.programs} & {id(program) for program in known})
        known = lowered.programs
    return stale, kept


@pytest.mark.parametrize("added", ADDED)
@pytest.mark.parametrize("seed", range(2))
def test_an_added_field_gives_no_stale_answer(monkeypatch, added, seed):
    add(monkeypatch, *ADDED[added])
    stale, kept = stale_and_kept(seed)
    assert stale == 0
    assert kept > 0


def test_nothing_is_stale_where_all_that_no_step_needs_is_forgotten_at_once(monkeypatch):
    monkeypatch.setattr(incremental, "_GROWTH", 0)
    stale, kept = stale_and_kept(2)
    assert stale == 0
    assert kept > 0


def test_what_is_kept_does_not_grow_with_the_edits(monkeypatch):
    monkeypatch.setattr(incremental, "_LEAST_KEPT", 0)
    document = Document.from_text(Path("m.py"), "".join(CHUNKS).replace("torch.counted()", "int(input())"))
    lowering = IncrementalLowering(document, None, Options())
    sizes = []
    for number in range(60):
        document = document.edit(document.text.replace("width = 3", f"width = 3  # {number}").replace(f"  # {number - 1}", ""))
        assert lowering.lower(document) is not None
        sizes.append(len(lowering._m.known) + len(lowering._journal.shared))
    assert max(sizes) <= 1.5 * sizes[0]


def test_the_check_finds_a_field_that_is_not_recorded(monkeypatch):
    add(monkeypatch, "imports", Policy.LOADED, dict, count_in_dict)
    stale, _ = stale_and_kept(0)
    assert stale > 0


def test_a_run_begins_with_the_values_of_no_other():
    assert [one.name for one in fields(Run) if getattr(Run(), one.name)] == []
