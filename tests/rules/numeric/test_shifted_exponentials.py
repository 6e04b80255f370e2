"""A softmax or log-sum-exp by hand whose maximum is subtracted, at whatever place, does not overflow (DLN105)."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

#: Programs around statements: the argument ``v`` is an argument, what a model gives, or a tensor that is known.
SHELLS = {
    "argument": "def share(v, t, mask):\n{body}    return e\n",
    "attribute": "class Agent:\n    def share(self, x, t, mask):\n        v = self.net(x)[self.best]\n{body}        return e\n",
    "known": "v = torch.randn(8, 4) * 50\nt = 0.5\nmask = torch.rand(8, 4) > 0.5\nfor _ in range(2):\n{body}    print(e)\n",
}
MAXIMA = (
    "m = v.max(0)[0]",
    "m = v.max(dim=0, keepdim=True).values",
    "m, _ = torch.max(v, 0)",
    "m = torch.amax(v, 0)",
    "m = v.max()",
)
SHIFTED = (
    "e = torch.exp(v - m)",
    "e = torch.exp(t * (v - m))",
    "e = torch.exp((v - m) / t)",
    "d = v - m\nd = d * t\ne = d.exp()",
    "e = scaled(v, m, t)",
    "e = torch.exp(torch.sub(v, m))",
    "e = v.sub(m).exp()",
    "d = v.clone()\nd -= m\ne = torch.exp(d)",
    "e = torch.exp(torch.mul(v - m, t))",
    "e = torch.exp((v - m).float())",
    "e = torch.exp(-(m - v))",
    "e = torch.exp((v - m).reshape(-1))",
    "e = torch.exp((v - m)[mask])",
    "e = torch.exp((v - m).masked_fill(mask, -1e9))",
    "e = torch.exp(v + (-m))",
    "d = shift(v)\ne = torch.exp(d)",
    "d = v - m\ne = torch.exp(torch.where(d != d, torch.zeros_like(d), d))",
    "e = torch.exp(torch.nan_to_num(v - m))",
    "e = torch.exp(torch.where(mask, v - m, torch.full_like(v, -1e9)))",
)
PLAIN = (
    "e = torch.exp(torch.where(v != v, torch.zeros_like(v), v))",
    "e = torch.exp(v)",
    "e = torch.exp(v / t)",
    "e = (t * v).exp()",
    "d = v.float()\ne = torch.exp(d)",
)
ENDS = ("e = e / e.sum(0)", "e /= e.sum(0)", "e = torch.log(e.sum(0)) + m")
HEAD = "import torch\nfrom other import shift\n\n\ndef scaled(a, b, c):\n    d = a - b\n    return torch.exp(c * d)\n\n\n"


def _codes(shell: str, *statements: str) -> list[str]:
    depth = 8 if shell == "attribute" else 4
    body = "".join(f"{' ' * depth}{line}\n" for line in "\n".join(statements).split("\n"))
    return [one.code for one in findings(HEAD + SHELLS[shell].format(body=body)) if one.code == "DLN105"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("maximum", MAXIMA)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("shifted", SHIFTED)
def test_shifted_arguments(shell: str, maximum: str, end: str, shifted: str) -> None:
    assert _codes(shell, maximum, shifted, end) == []


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("plain", PLAIN)
def test_arguments_as_they_are(shell: str, end: str, plain: str) -> None:
    assert _codes(shell, MAXIMA[0], plain, end) == ["DLN105"]
