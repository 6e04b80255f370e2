"""Objects of libraries that hold themselves, in every way that they can, end the analysis of nothing."""

from __future__ import annotations

import pytest

from tests.security.confined import confined, told

FAULTY = "import torch\nfrom torch import nn\nimport keras\n\ntorch.ones(3).view(7)\n"
#: A container, how it gets what it holds, and what it is called with.
CONTAINERS = {
    "Sequential": ("nn.Sequential()", "{a}.add_module('part', {b})", "torch.zeros(2, 3)"),
    "append": ("nn.Sequential(nn.ReLU())", "{a}.append({b})", "torch.zeros(2, 3)"),
    "assigned": ("nn.Sequential(nn.ReLU())", "{a}[0] = {b}", "torch.zeros(2, 3)"),
    "Keras": ("keras.Sequential()", "{a}.add({b})", "keras.ops.zeros((2, 3))"),
}
#: How many containers are in the circle.
LENGTHS = (1, 2, 3, 7)


def program(container: str, length: int, used: str) -> str:
    make, put, data = CONTAINERS[container]
    names = [f"part{number}" for number in range(length)]
    lines = [f"{name} = {make}" for name in names]
    lines += [put.format(a=name, b=names[(number + 1) % length]) for number, name in enumerate(names)]
    return FAULTY + "\n".join([*lines, used.format(a=names[0], data=data)]) + "\n"


@pytest.mark.parametrize(
    "used", ["{a}({data})", "print(list({a}.modules()), {a}.summary())", "copy = [{a}, {a}]\ncopy[1]({data})"]
)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_circle_of_containers_ends(tmp_path, container, length, used):
    (tmp_path / "a.py").write_text(program(container, length, used))
    assert "DLT105" in told(confined(tmp_path, "check", "-n", "a.py"))


@pytest.mark.parametrize("depth", [5, 40, 70])
def test_what_is_nested_and_no_circle_is_followed(tmp_path, depth):
    lines = ["part0 = nn.Sequential(nn.Linear(4, 3))"]
    lines += [f"part{number + 1} = nn.Sequential(part{number}, nn.ReLU())" for number in range(depth)]
    (tmp_path / "a.py").write_text(FAULTY + "\n".join([*lines, f"part{depth}(torch.zeros(2, 5))"]) + "\n")
    assert "DLT101" in told(confined(tmp_path, "check", "-n", "a.py"))
