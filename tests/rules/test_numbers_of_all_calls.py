"""What is said to be so always holds for every call and iteration of the expression that it is said of."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.rules.harness import findings

#: What a message says of a number that the expression has each time.
_OF_ALL = re.compile(r"` is -?\d")

#: Function of the framework → a harmless number and one that is dangerous.
NUMBERS = {"exp": (0.0, 100.0), "log": (2.0, 0.0), "sqrt": (4.0, -1.0), "reciprocal": (2.0, 0.0)}
FRAMEWORKS = {
    "torch": ("import torch", "torch.{name}(x)", "torch.tensor({number})"),
    "tensorflow": ("import tensorflow as tf", "tf.math.{name}(x)", "tf.constant({number})"),
}
CALLS = {
    "two calls": "a = f({0})\nb = f({1})",
    "through another": "def g(x):\n    return f(x) + 1\n\na = g({0})\nb = f({1})",
    "in a loop": "for x in [{0}, {1}]:\n    f(x)",
    "in a comprehension": "y = [f(x) for x in ({0}, {1})]",
    "by a method": "class C:\n    def one(self, x):\n        return f(x)\n\nc = C()\nc.one({0})\nc.one({1})",
}
CASES = list(itertools.product(FRAMEWORKS, NUMBERS, CALLS))


def _told(framework: str, name: str, calls: str, *numbers: float) -> list[str]:
    head, call, made = FRAMEWORKS[framework]
    body = CALLS[calls].format(*(made.format(number=number) for number in numbers))
    source = f"{head}\n\ndef f(x):\n    return {call.format(name=name)}\n\n{body}\n"
    return [finding.message for finding in findings(source) if finding.code.startswith("DLN")]


@pytest.mark.parametrize(("framework", "name", "calls"), CASES)
@pytest.mark.parametrize("dangerous_last", [True, False])
def test_a_number_of_one_call_is_not_always_there(framework: str, name: str, calls: str, dangerous_last: bool) -> None:
    numbers = NUMBERS[name] if dangerous_last else NUMBERS[name][::-1]
    assert not [message for message in _told(framework, name, calls, *numbers) if _OF_ALL.search(message)]


@pytest.mark.parametrize(("framework", "name", "calls"), CASES)
def test_a_number_of_all_calls_is(framework: str, name: str, calls: str) -> None:
    dangerous = NUMBERS[name][1]
    assert [message for message in _told(framework, name, calls, dangerous, dangerous) if _OF_ALL.search(message)]
