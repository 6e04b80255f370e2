"""``dllint.watch`` in a program of its own."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")


def test_a_loop_is_diagnosed_from_inside(tmp_path):
    import dllint

    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = torch.autograd.backward
    with dllint.watch(model) as watch:
        for _ in range(5):
            optimizer.zero_grad()
            loss = torch.log(model(torch.ones(3, 4)).sum() * 0)
            loss.backward()
            optimizer.step()
    findings = watch.diagnosis().findings
    assert [finding.code for finding in findings] == ["DLX101"]
    assert findings[0].location.path.name == "test_watch.py"
    assert torch.autograd.backward is before
    watch.write_page(tmp_path / "report.html")
    assert "the finding is certain" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_an_unknown_attribute_is_an_attribute_error():
    import dllint

    with pytest.raises(AttributeError, match="no attribute 'wach'"):
        _ = dllint.wach
