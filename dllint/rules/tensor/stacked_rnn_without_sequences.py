"""DLT113: a recurrent layer that returns its last state only feeds a layer that needs the sequence."""

from __future__ import annotations

from typing import ClassVar

from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Related, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import set_option
from dllint.ir.program import Fault, Op
from dllint.ops.faults import SEQUENCE_RANK
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule, built
from dllint.rules.offers import offer
from dllint.rules.wording import operand, operation

#: Operations between the two layers that keep the tensor a summary of the sequence.
PASSES = having(Trait.KEEPS_SHAPE)


class StackedRnnWithoutSequences(FaultRule):
    """A recurrent layer that returns only its last output feeds a layer that needs the whole sequence.

    ## What it finds
    `LSTM`, `GRU` or `SimpleRNN` with the default `return_sequences=False`, followed (dropout and normalisation allowed) by
    another recurrent layer, `TimeDistributed`, `Conv1D` or attention.

    ## Why it is bad
    The second layer gets (batch, units) where it needs (batch, time, features) and raises.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import LSTM, Dense

    model = Sequential([Input((20, 8)), LSTM(32), LSTM(16), Dense(1)])  # error: [DLT113]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import LSTM, Dense

    model = Sequential([Input((20, 8)), LSTM(32, return_sequences=True), LSTM(16), Dense(1)])
    ```

    ## When it stays silent
    With `RepeatVector` or a reshape between, and for the last recurrent layer.
    ```python
    from keras import Input, Sequential
    from keras.layers import LSTM, Dense, RepeatVector, TimeDistributed

    model = Sequential([Input((20, 8)), LSTM(32), RepeatVector(20), LSTM(16, return_sequences=True), TimeDistributed(Dense(8))])
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong shape of input data for a recurrent layer.
    """

    code = "DLT113"
    name = "stacked-rnn-without-sequences"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("fault:sequence-rank", "fault:rank")
    suppresses = ("DLT102", "DLT101", "DLT109")

    def concerns(self, op: Op, fault: Fault, context: Context) -> bool:
        """Whether the rank-2 input is a recurrent layer's summary."""
        flat = fault.kind == SEQUENCE_RANK or fault.actual in (2, None)
        return flat and summary_maker(op, fault) is not None

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """Both layers, and the shape between them."""
        maker = summary_maker(op, fault)
        assert maker is not None
        given = f"{operation(maker, context)} returns only its last output {show_shape(maker.output.shape)}"
        return f"{operation(op, context)} needs a sequence (batch, time, features), but {given}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The argument to add."""
        maker = summary_maker(op, fault)
        assert maker is not None
        return f"add return_sequences=True to {operation(maker, context)}"

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The earlier layer returns its sequence."""
        maker = summary_maker(op, fault)
        edits = set_option(maker.layer, "return_sequences", "True") if maker is not None else ()
        return offer(context, "Add return_sequences=True", edits, Applicability.SAFE)

    def evidence(self, op: Op, fault: Fault, context: Context) -> list[Related]:
        """Where both layers are built."""
        maker = summary_maker(op, fault)
        return [*built(op, context), *(built(maker, context) if maker else [])]


def summary_maker(op: Op, fault: Fault) -> Op | None:
    """The recurrent layer without ``return_sequences`` whose output is the op's input."""
    maker = maker_behind(operand(op, fault.operand), PASSES)
    return maker if does(maker, Trait.RECURRENT) and maker.framework != "torch" else None
