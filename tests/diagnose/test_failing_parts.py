"""Whatever fails in watching, in experiments, judgements, trials or pages is told, and the report has all the rest."""

from __future__ import annotations

import re

import pytest

from tests.diagnose.keras_programs import RANDOM, program
from tests.diagnose.scripts import HEALTHY

#: Ways to fail; programs and people may end what is tried as well.
ERRORS = {
    "text": "ValueError('spoiled')",
    "memory": "MemoryError()",
    "recursion": "RecursionError('spoiled')",
    "silent": "Silent()",
    "leaves": "SystemExit(3)",
    "interrupted": "KeyboardInterrupt()",
}
SPOIL = """
import importlib

class Silent(RuntimeError):
    def __str__(self):
        raise ValueError("no text")
    __repr__ = __str__

def spoil(place, error=None):
    module, names = place.split(":")
    *owners, name = names.split(".")
    owner = importlib.import_module(module)
    for part in owners:
        owner = getattr(owner, part)
    def fails(*args, **kwargs):
        raise error or ValueError("spoiled")
    setattr(owner, name, fails)
"""
#: Weights that no optimizer has are found without any experiment; nothing is learnt, so that all of these are made.
FAULTY = HEALTHY.replace("STEPS", "120").replace("net.parameters(), lr=0.01", "list(net.parameters())[:-2], lr=0.0")
AFTERWARDS = "dllint.diagnose.probes.torch.afterwards"
EXPERIMENTS = "dllint.diagnose.probes.torch.experiments"


def spoiled(*calls: str, text: str = FAULTY) -> str:
    return text + SPOIL + "\n".join(f"spoil({call})" for call in calls) + "\n"


@pytest.mark.parametrize("turn", [0, 2])
def test_experiments_that_raise(diagnose, turn):
    names, errors = ("cross_talk", "modes", "one_batch_fit", "gradient_noise"), list(ERRORS.values())[turn:]
    done = diagnose(spoiled(*(f"'{EXPERIMENTS}:{name}', {error}" for name, error in zip(names, errors, strict=False))))
    assert done.status == 1
    assert done.findings
    for title in ("cross-talk", "modes", "one-batch-fit", "gradient-noise"):
        assert f"dllint: the experiment {title} could not be made (" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (f"{AFTERWARDS}:_closing", "the model could not be called again at the end"),
        (f"{AFTERWARDS}:TrialModel", "no experiments were made: the model cannot be copied"),
        (f"{AFTERWARDS}:_compare", "the model could not be compared with simple ones"),
        ("dllint.diagnose.probes.torch.probe:look_back", "experiments with models of torch could not be made"),
        ("dllint.diagnose.probes.torch.probe:TorchProbe.finish", "the end of the run could not be told by the probe for torch"),
        ("dllint.diagnose.reproducibility.environment:hardware", "what the run depends on could not be found out"),
    ],
)
def test_steps_after_the_run_that_raise(diagnose, place, told):
    done = diagnose(spoiled(f"'{place}', {ERRORS['silent' if 'environment' in place else 'interrupted']}"))
    assert done.status == 1
    assert done.findings
    assert told in done.stderr
    assert "Traceback" not in done.stderr


COUNTING = """
class Net(nn.Sequential):
    over, calls = False, 0
    def forward(self, x):
        if Net.over:
            Net.calls += 1
            if Net.calls >= FIRST:
                DO
        return super().forward(x)
"""


@pytest.mark.parametrize(("first", "error"), [(1, "text"), (4, "leaves"), (9, "silent"), (30, "interrupted"), (60, "memory")])
def test_models_that_raise_out_of_their_loop(diagnose, first, error):
    text = FAULTY.replace("net = nn.Sequential(", SPOIL + COUNTING + "net = Net(")
    text = text.replace("FIRST", str(first)).replace("DO", f"raise {ERRORS[error]}")
    done = diagnose(text + "Net.over = True\n")
    assert done.status == 1
    assert done.findings
    assert "could not be" in done.stderr
    assert "Traceback" not in done.stderr


def test_checks_and_repairs_that_raise(diagnose):
    others = """
from dllint.diagnose.symptoms.registry import checks
from dllint.diagnose.causes.registry import hypotheses
found = 0
for check in checks():
    if check.symptom != "unchanged weight":
        spoil(f"{type(check).__module__}:{type(check).__name__}.check")
        spoil(f"{type(check).__module__}:{type(check).__name__}.remark", Silent())
for hypothesis in hypotheses():
    spoil(f"{type(hypothesis).__module__}:{type(hypothesis).__name__}.repairs")
"""
    done = diagnose(spoiled() + others)
    assert done.status == 1
    assert done.codes == ["DLX105"]
    assert "dllint: whether the run shows `loss not decreasing` could not be found out (ValueError: spoiled)" in done.stderr
    assert "could not be looked for (ValueError: spoiled)" in done.stderr
    healthy = diagnose(spoiled(text=HEALTHY.replace("STEPS", "40")) + others)
    assert "Healthy" not in healthy.stderr


def test_parts_of_the_page_that_raise(diagnose, tmp_path):
    parts = [
        *("card", "contents", "overview", "curves", "layer_maps", "baselines"),
        *("experiments", "inputs", "outputs", "notes", "environment", "sources"),
    ]
    page, record = tmp_path / "page.html", tmp_path / "run.json"
    calls = [f"'dllint.diagnose.page.page:{part}', Silent()" for part in parts]
    done = diagnose(spoiled(*calls), "--html", str(page), "--record", str(record))
    assert done.status == 1
    assert done.findings
    text = page.read_text()
    assert text.count("This part could not be made (Silent).") >= len(parts)
    assert text.endswith("</html>\n")
    assert record.exists()


@pytest.mark.parametrize(
    ("place", "told", "written"),
    [
        ("dllint.cli.diagnosis_report:page", "the page was not written", {"run.json"}),
        ("dllint.cli.diagnosis_report:written", "the record was not written", {"page.html"}),
        ("dllint.cli.diagnosis_report:write_run", "the folder for TensorBoard was not written", {"page.html", "run.json"}),
        ("dllint.cli.diagnosis_report:render", "the report was not made in the form `json`", {"page.html", "run.json"}),
    ],
)
def test_forms_of_the_report_that_raise(diagnose, tmp_path, place, told, written):
    out = tmp_path / "out"
    out.mkdir()
    options = ("--html", str(out / "page.html"), "--record", str(out / "run.json"), "--tensorboard", str(out / "board"))
    done = diagnose(spoiled(f"'{place}', Silent()"), *options)
    assert done.status == 2
    assert f"error: {told} (Silent)" in done.stderr
    assert {path.name for path in out.iterdir()} - {"board"} == written
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("error", ["text", "interrupted"])
def test_trials_that_raise(diagnose, error):
    done = diagnose(spoiled(f"'dllint.diagnose.treatment:try_candidates', {ERRORS[error]}"), replay=True)
    assert done.status == 1
    assert done.findings
    assert "dllint: repairs were not tried to the end (" in done.stderr


class TestKeras:
    """The same for Keras, whose model is the program's own."""

    @pytest.fixture
    def framework(self):
        return "keras-torch"

    def test_experiments_that_raise(self, diagnose):
        own = "dllint.diagnose.probes.keras"
        names = ("cross_talk", "modes", "one_batch_fit", "gradient_noise")
        calls = [f"'{own}.experiments:{name}', {error}" for name, error in zip(names, ERRORS.values(), strict=False)]
        done = diagnose(spoiled(*calls, text=program(RANDOM)))
        assert "the experiment modes could not be made (MemoryError)" in done.stderr
        assert "Traceback" not in done.stderr
        done = diagnose(spoiled(f"'{own}.afterwards:_compare', Silent()", text=program(RANDOM)))
        assert "the model could not be compared with simple ones (Silent)" in done.stderr


QUICK = """
import dllint.diagnose.watchdog as watchdog
watchdog._PATIENT = watchdog._IMPATIENT = 1.0
watchdog.GRACE = 1.0
"""
#: Ways never to come back; the last one cannot be ended from inside.
HANGS = {
    "a sleep": "import time; time.sleep(1e6)",
    "a queue": "import queue; queue.Queue().get()",
    "a lock": "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()",
    "a thread": "import threading; t = threading.Thread(target=threading.Event().wait, daemon=True); t.start(); t.join()",
    "a pipe": "import os; os.read(os.pipe()[0], 1)",
    "a loop": "while True: pass",
    "errors are caught": "import time\nwhile True:\n    try: time.sleep(1e6)\n    except Exception: pass",
    "deaf": "import signal, time; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True: time.sleep(1e6)",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("first", [1, 30])
@pytest.mark.parametrize("hang", HANGS)
def test_models_that_never_come_back_out_of_their_loop(diagnose, tmp_path, hang, first):
    text = FAULTY.replace("net = nn.Sequential(", QUICK + COUNTING + "net = Net(")
    text = text.replace("FIRST", str(first)).replace("DO", f"exec({HANGS[hang]!r})")
    record = tmp_path / "run.json"
    done = diagnose(text + "Net.over = True\n", "--record", str(record))
    assert done.status == 1
    assert done.findings
    assert record.exists()
    assert re.search(r"\(TookTooLongError: no end after \d+ seconds\)", done.stderr)
    assert "Traceback" not in done.stderr


ODD = """
import sys

class Odd(keras.Sequential):
    def __getattribute__(self, name):
        if name in NAMES and sys._getframe(1).f_globals["__name__"].startswith("dllint"):
            raise ERROR
        return super().__getattribute__(name)
"""


class TestStepsOfKeras:
    """A step of Keras's own loop is made, whatever becomes of watching it."""

    @pytest.fixture(params=["keras-torch", "keras-tensorflow", "keras-jax"])
    def framework(self, request):
        return request.param

    @pytest.mark.sampled(every=3)
    @pytest.mark.parametrize("names", [("steps_per_execution", "distribute_strategy"), ("run_eagerly",)])
    @pytest.mark.parametrize("error", ["ValueError('odd')", "MemoryError('odd')", "KeyError('odd')"])
    def test_models_that_cannot_be_asked(self, diagnose, framework, names, error):
        text = program(EPOCHS="2").replace("keras.Sequential(", "Odd(").replace("model.fit", "history = model.fit")
        odd = ODD.replace("NAMES", repr(names)).replace("ERROR", error)
        end = "print(len(history.history['loss']), history.history['loss'][-1] < history.history['loss'][0])\n"
        done = diagnose(f"import keras\n{odd}{text}{end}")
        assert done.status in (0, 1), done.stderr
        assert "2 True" in done.stdout + done.stderr
        told = "a step of Keras's own loop could not be observed" in done.stderr
        assert told is (framework == "keras-tensorflow" or (framework == "keras-jax" and "run_eagerly" not in names))
        assert "Traceback" not in done.stderr
