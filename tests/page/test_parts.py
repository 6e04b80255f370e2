"""Markup, numbers, scales, courses and heat maps of HTML reports."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from dllint.page import chart
from dllint.page.chart import Event, Line, line_chart
from dllint.page.document import document, section, table
from dllint.page.excerpt import Marked, difference, excerpt
from dllint.page.heatmap import LEVELS, Panel, Ramp, Row, heat_maps
from dllint.page.markup import Markup, element
from dllint.page.numbers import percent, shown
from dllint.page.scale import Scale, fitted
from dllint.page.thinning import evenly, smoothed, thinned


def test_text_is_escaped_in_content_and_attributes_and_markup_is_not():
    made = element("a", "1 < 2 & ", element("b", "<x>"), title='say "no"', href=None, class_="k", stroke_width=1.0)
    assert made == '<a title="say &quot;no&quot;" class="k" stroke-width="1">1 &lt; 2 &amp; <b>&lt;x&gt;</b></a>'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (4096, "4,096"),
        (1.0, "1"),
        (0.01234, "0.0123"),
        (12.345, "12.3"),
        (123.45, "123"),
        (5432.1, "5,432"),
        (0.00001234, "1.23e-5"),
        (-2.5e9, "-2.5e9"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
    ],
)
def test_numbers_have_three_digits(value, text):
    assert shown(value) == text


def test_shares():
    assert [percent(share) for share in (0, 0.004, 0.25, 1)] == ["0%", "0.4%", "25%", "100%"]


def test_a_scale_is_linear_with_round_ends_unless_values_are_far_apart():
    near, far = fitted([0.13, 0.92, math.nan], 0, 100), fitted([3e-4, 20.0], 0, 100)
    assert (near.low, near.high, near.is_log) == (0.0, 1.0, False)
    assert near.ticks(5) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert (far.low, far.high, far.is_log) == (1e-4, 100.0, True)
    assert far.ticks(3) == pytest.approx([1e-4, 0.1, 100])
    assert far.at(0.1) == pytest.approx(50)


@pytest.mark.parametrize("values", [[], [2.0], [0.0, 0.0], [math.inf], [-5e-324, 0.0], [1e308, -1e308]])
def test_any_values_have_a_scale_and_ticks(values):
    scale = fitted(values, 0, 100)
    assert scale.low < scale.high
    assert all(0 <= scale.at(value) <= 100 for value in [*values, *scale.ticks(5)] if not math.isinf(value))


def test_a_few_values_near_zero_do_not_rule_the_scale():
    usual = [8.0 - number / 100 for number in range(100)]
    assert not fitted([*usual, 1e-7, 1e-9], 0, 100).is_log
    grown = fitted([*usual, 1e-9, 1e6], 0, 100)
    assert (grown.is_log, grown.low) == (True, 0.01)


def test_values_outside_of_a_scale_are_at_its_ends():
    assert Scale(1.0, 10.0, 0, 9, is_log=True).at(0.0) == 0


def test_a_thinned_course_keeps_extremes_and_what_is_not_finite():
    points = [(float(step), 0.5) for step in range(10_000)]
    points[4321], points[7777], points[5] = (4321.0, 99.0), (7777.0, math.nan), (5.0, -3.0)
    kept = thinned(points, 300)
    assert len(kept) <= 301
    assert {(4321.0, 99.0), (5.0, -3.0)} <= set(kept)
    assert any(math.isnan(value) for _, value in kept)
    assert [step for step, _ in kept] == sorted(step for step, _ in kept)


def test_an_average_of_equal_values_is_that_value_from_the_first_point_on():
    average = smoothed([(1, 3.0), (2, math.inf), (3, 3.0)], 10)
    assert [step for step, _ in average] == [1, 3]
    assert [value for _, value in average] == pytest.approx([3.0, 3.0])


def test_even_numbers_hold_both_ends():
    assert evenly(3, 5) == [0, 1, 2]
    assert evenly(101, 5) == [0, 25, 50, 75, 100]


def test_a_chart_tells_its_course_in_words_and_marks_events_and_gaps():
    losses = Line("training", [(1, 2.0), (2, 1.0), (3, math.nan), (4, 0.5)])
    figure = ET.fromstring(line_chart("Loss", [losses], [Event(3, "numerical error"), Event(99, "past the end")]))
    svg = figure.find("svg")
    assert svg.get("aria-label") == "Loss: training from 2 at step 1 to 0.5 at step 4"
    titles = [title.text for title in svg.iter("title")]
    assert "step 3: numerical error" in titles
    assert "step 3: training is nan" in titles
    assert not any("past the end" in title for title in titles)
    assert "step 3: numerical error" in [span.text for span in figure.iter("span")]
    assert len(svg.findall("polyline")) == 1
    assert len([dot for dot in svg.findall("circle") if "dot" in dot.get("class")]) == 1


def test_a_chart_of_nothing_is_nothing():
    assert line_chart("Loss", [Line("training", [])]) == ""


def test_a_chart_of_one_point_or_of_no_finite_one_is_drawn():
    for value in (1.0, math.nan):
        assert ET.fromstring(line_chart("Loss", [Line("training", [(1, value)])])).find("svg") is not None


def test_levels_of_a_ramp():
    ratio = Ramp(1e-6, 1.0, "two-sided")
    assert [ratio.level(value) for value in (0.0, 1e-9, 1e-3, 1.0, 50.0, math.nan)] == [0, 0, LEVELS // 2, 8, 8, None]


def test_heat_maps_join_neighbouring_cells_of_a_level():
    rows = [Row("0", "Linear :3", "net.0: Linear", "#finding-1", is_marked=True), Row("1", "ReLU", "net.1: ReLU")]
    cells = [[0.0, 0.0, 1.0], [None, math.nan, 0.0]]
    made = heat_maps("dead units", rows, [Panel("Dead", Ramp(0, 1, "one-sided", is_log=False), cells)], [1, 2, 9])
    body = ET.fromstring(made).findall(".//svg")[1]
    paths = {path.get("class"): path.get("d").count("z") for path in body.findall("path")}
    assert paths == {"one-sided h0": 2, "one-sided h8": 1, "nonfinite": 1}
    assert body.find("a").get("href") == "#finding-1"
    assert "net.0: Linear\nDead: first 0, last 1, from 0 to 1" in [title.text for title in body.iter("title")]


def test_an_excerpt_marks_the_place_alone():
    lines = ["a = 1", "b = f(<x>)", "c = 3"]
    assert '<span class="line here"><i>2</i>b = <mark>f(&lt;x&gt;)</mark></span>' in excerpt(lines, Marked(2, 5, 2, 11))
    assert "<mark>" in excerpt(lines, Marked(2))
    assert excerpt(lines, Marked(9)).count("line") == 0


def test_a_difference_shows_changed_lines_and_their_neighbours():
    made = difference(["a", "b", "c", "d", "e"], ["a", "b", "C", "d", "e"])
    assert [part in made for part in (">  b<", ">- c<", ">+ C<", ">  d<", ">  a<")] == [True] * 4 + [False]


def test_a_document_fetches_nothing():
    page = document("<title>", section("Empty"), section("Full", table(("a",), [("<b>",)])))
    assert "default-src 'none'" in page
    assert "&lt;title&gt;" in page
    assert "&lt;b&gt;" in page
    assert "Empty" not in page
    assert "prefers-color-scheme: dark" in page
    assert not any(word in page for word in ("<script", "http:", "https:", "src="))
    assert isinstance(section("Empty"), Markup)


def luminance(color):
    """Relative luminance as WCAG 2 defines it."""
    digits = color.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1])
def test_texts_have_contrast_in_both_themes(theme):
    sheet = (Path(chart.__file__).parent / "style.css").read_text(encoding="utf-8")
    colors = dict(re.findall(r"--(\w+): (#\w+)", re.findall(r":root \{(.*?)\}", sheet, re.DOTALL)[theme]))
    papers = {
        "paper": ["ink", "soft", "link", "red", "t0", "t1", "t2", "t3", "t4", "t5"],
        "card": ["ink", "soft"],
        "redpaper": ["ink", "red"],
        "orangepaper": ["ink", "orange"],
        "greenpaper": ["ink", "green"],
        "markpaper": ["ink"],
    }
    for paper, inks in papers.items():
        for ink in inks:
            light, dark = sorted((luminance(colors[paper]), luminance(colors[ink])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, f"{ink} on {paper}"
