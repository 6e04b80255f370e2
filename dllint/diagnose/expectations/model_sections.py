"""Tests of the model: layers, parameters, and the values that layers give (guide steps 1, 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dllint.diagnose.expectations.bounds import is_few, of_mean, of_std, of_zeros
from dllint.diagnose.expectations.observed import FirstSteps, Values
from dllint.diagnose.expectations.section import Section, literal, table

_LAYERS = """
def test_model_has_its_layers(run):
    found = {name: (layer.kind, layer.parameters) for name, layer in run.layers.items()}
    assert found == LAYERS
"""
_PARAMETERS = """
def test_model_has_its_parameters(run):
    assert run.parameters == PARAMETERS
    assert run.trainable_parameters == TRAINABLE_PARAMETERS
"""
_CALLED = """
def test_every_layer_is_called(run):
    called = {name for name, layer in run.layers.items() if layer.output is not None}
    assert OUTPUTS.keys() <= called, f"not called: {sorted(OUTPUTS.keys() - called)}"
"""
_OUTPUTS = """
@pytest.mark.parametrize("name", OUTPUTS)
def test_layers_put_out_sound_numbers(run, name):
    least, most, zeros = OUTPUTS[name]
    layer = run.layers.get(name)
    assert layer and layer.output, f"{name} is missing, or is not called"
    output = layer.output
    assert output.is_finite, f"{name} puts out NaN or infinity"
    assert least <= output.std <= most, f"{name} has the spread {output.std}"
    assert output.zeros <= zeros, f"{name} is 0 in {output.zeros:.0%}"
"""
_GIVEN = """
@pytest.mark.parametrize("name", GIVEN)
def test_layer_inputs_are_normalised(run, name):
    low, high, least, most = GIVEN[name]
    layer = run.layers.get(name)
    assert layer and layer.input, f"{name} is missing, or is not called"
    given = layer.input
    assert low <= given.mean <= high, f"{name} is given the mean {given.mean}"
    assert least <= given.std <= most, f"{name} is given the spread {given.std}"
"""
_TRAINED = """
def test_every_parameter_is_trained(run):
    unchanged = sorted({unchanged})
    assert unchanged == [], f"no step changes {unchanged}"
"""
_SATURATED = """
def test_activations_are_not_saturated(run):
    shares = {name: layer.saturated for name, layer in run.layers.items()}
    assert {name: share for name, share in shares.items() if share > 0.5} == {}
"""
#: As ``symptoms.saturated_units`` judges.
_MOST_SATURATED = 0.5


def model_sections(seen: FirstSteps) -> Iterator[Section]:
    """Tests of the model that was seen."""
    if not seen.layers:
        return
    rows = [(name, (layer.kind, layer.parameters)) for name, layer in seen.layers.items()]
    yield Section(table("LAYERS", "Layer: class, and how many weights of its own.", rows), _LAYERS)
    counts = (f"PARAMETERS = {seen.parameters}", f"TRAINABLE_PARAMETERS = {seen.trainable_parameters}")
    yield Section(counts, _PARAMETERS)
    yield from _statistics(seen)
    is_saturated = any(layer.saturated > _MOST_SATURATED for layer in seen.layers.values())
    if seen.findings or not is_saturated:
        yield Section((), _SATURATED, "activations that are not saturated" if is_saturated else "")
    if "unchanged weight" in seen.hints:
        # Experts that a router leaves out, rows that no sample needs: others with each seed.
        return
    is_odd = "unchanged weight" in seen.findings
    allowed = ", ".join(map(literal, seen.unchanged)) if not is_odd else ""
    unchanged = f"set(run.unchanged) - {{{allowed}}}" if allowed else "run.unchanged"
    yield Section((), _TRAINED.replace("{unchanged}", unchanged, 1), "trained parameters" if is_odd else "")


def _statistics(seen: FirstSteps) -> Iterator[Section]:
    is_faulty = bool(seen.findings)
    called = {name: layer.output for name, layer in seen.layers.items() if layer.output is not None}
    given = {name: layer.input for name, layer in seen.layers.items() if layer.input is not None and not is_few(layer.input)}
    if called:
        rows = [(name, _output(values, is_faulty=is_faulty)) for name, values in called.items()]
        comment = "Layer: least and greatest standard deviation of its output, greatest share of zeros."
        yield Section(table("OUTPUTS", comment, rows), _CALLED)
        yield Section((), _OUTPUTS, "outputs of layers" if _is_unmet_output(called, dict(rows)) else "")
    if given:
        inputs = [(name, _given(values, is_faulty=is_faulty)) for name, values in given.items()]
        comment = "Layer with weights: bounds of the mean and of the standard deviation of its input."
        yield Section(table("GIVEN", comment, inputs), _GIVEN, _unmet_given(given, dict(inputs)))


def _output(values: Values, *, is_faulty: bool) -> tuple[float, float, float]:
    least, most = of_std(values, is_faulty=is_faulty)
    return least, most, of_zeros(values.zeros, is_faulty=is_faulty)


def _given(values: Values, *, is_faulty: bool) -> tuple[float, float, float, float]:
    mean = of_mean(values, is_faulty=is_faulty)
    return (*mean, *of_std(values, is_faulty=is_faulty))


def _is_unmet_output(called: Mapping[str, Values], rows: Mapping[str, tuple[float, float, float]]) -> bool:
    return any(
        not (rows[name][0] <= values.std <= rows[name][1] and values.zeros <= rows[name][2] and values.is_finite)
        for name, values in called.items()
    )


def _unmet_given(given: Mapping[str, Values], rows: Mapping[str, tuple[float, float, float, float]]) -> str:
    for name, values in given.items():
        low, high, least, most = rows[name]
        if not (low <= values.mean <= high and least <= values.std <= most):
            return "normalised inputs of layers"
    return ""
