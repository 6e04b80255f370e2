"""Abstract execution of Python over libcst nodes: source text to traced programs.

Tables map libcst node types to evaluators and executors; there are no visitors on this path. What a program is:

- **Values** (``ir/values.py``). Python constants stand for themselves, a symbolic size is a ``DimExpr``, tensors are
  SSA values with a type, everything else is a small class. Mutable ones change only through a journal, so that
  branches can be undone.
- **Branches.** A condition that is decided takes its arm. An undecided one runs both arms from one state and joins
  what they changed: equal values stay, tensors become a ``phi``, values of different kinds a ``ChoiceVal``, the rest
  ``Unknown``. Inside an arm, those of several values are left that its condition allows: on None, a class, a number,
  or what a tensor measures (``narrowing.py``, ``measured.py``). A default value (of a parameter, of argparse)
  decides, and the other arm is executed for the classes that it names; a fault in that arm, or under several
  undecided conditions, is not reported from there, because nothing shows that what was built before goes with it.
- **Containers and iterators.** A list, set or dict whose elements are known is what Python has; ``rest`` stands for
  any number of further elements where a path or a loop may have added or removed some (``lists.py``, ``sets.py``).
  Iterating takes the elements out of an iterator (``iteration.py``), views of dicts keep theirs. A generator function
  is executed when it is called, one under ``@contextmanager`` around its ``with`` block. ``benchmarks/control_flow``
  holds all of that against CPython.
- **Loops** with a known number of passes are unrolled, others run until their values settle; so do those that train
  or that would only lengthen a long trace, after a few passes. A ``DataLoader`` over a data set of known length gives
  its full batch and its smaller last one.
- **Calls** are inlined with the call site kept on every operation; equal constructor calls are copied, equal blocks
  in a row are applied twice. Fuel bounds the statements per entry and per file; running out means
  ``Unknown("fuel")``. A statement that makes a library do much at once (operations, large copies, long tables again
  and again) pays for more than one (``Interpreter.pay``). CPU time and memory are only a last stop
  (``engine/limits.py``): what it ends is named, cut short and never kept.
- **Type boundaries.** A value may be anything, so ``Value`` is ``object``: a handler, a native and an operation has
  to ask what it is given (``frameworks/kinds.py``, ``ops/sizes.py``, ``isinstance``), and mypy holds it to that;
  ``tests/repo/test_borders_are_typed.py`` keeps ``Any`` out. Methods are declared ``on`` a kind of receiver and are
  Unknown for every other. What ``ops.spec.apply`` hands to an operation is of the kinds that operations know
  (``operand``), everything else Unknown. ``constructor`` registers what a library class does to a new object, for the
  class itself and for the ``super().__init__()`` of a class derived from it; ``InstanceVal.kept`` and ``own`` read
  that state and are Unknown where it is absent.
- **Entries.** The top level first. Then every model class that nothing has called: made with the arguments of its own
  constructions where they are known, else with those of a construction in a file nearby that are all literals or
  constants (``source/constructions.py``: by text, in the same directory and the one above; not in an editor's
  session, whose answers must not depend on files that may come to use a class), else with defaults, else with a
  symbol per size. Plain classes are run if their methods train by hand or build graphs.
- **Assigned elements** (``x[i] = v``) widen or forget the range of an array, and ``modified`` says that its producer
  no longer tells what it holds.
- **Loops and tests** are recorded for rules that ask for values: ``Program.carried`` has what takes a tensor's place
  in the next iteration, ``TensorVal.varies`` that a loop of an undecided number of passes (none included) leaves it,
  so that its producer tells only of one pass, ``Op.tested`` how conditions on the way were decided.
- **Errors caught on purpose**: in a ``try`` of one or two statements whose handler catches a certain error and goes
  on, faults are expected and not recorded.

After a fault, execution goes on with the declared size. A later fault that confuses the same two sizes is a
consequence (``analysis/consequences.py``) and is not reported.
"""
