"""A sample of the benchmark of an editor's memory: what is held does not grow with the edits."""

from __future__ import annotations

from benchmarks.editor import memory


def test_objects_do_not_grow_with_the_edits():
    samples = list(memory.held(160, 120, between=40))
    assert [sample.edits for sample in samples] == [40, 80, 120, 160]
    assert max(sample.objects for sample in samples[2:]) <= 1.1 * max(sample.objects for sample in samples[:2])
    assert max(sample.sizes for sample in samples[2:]) <= 2 * max(sample.sizes for sample in samples[:2])


def test_growth_compares_the_end_with_the_warm_session():
    samples = [memory.Sample(edits, 10 + edits // 1000, 100, 1) for edits in range(100, 5_001, 100)]
    assert memory.growth(samples, "rss_kib") == {"after 100 edits": 10, "last fifth": 15, "ratio": 1.5}
    assert memory.growth(samples, "objects")["ratio"] == 1.0
