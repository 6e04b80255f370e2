"""Modules: the lines that built them, their names, and what they put out in sampled steps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType
from typing import Any, Concatenate, Final, ParamSpec
from weakref import ref

import torch
from torch import Tensor, nn

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, place_of, user_frames, user_places
from dllint.diagnose.probes.containers import parts, state_of
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.tensor_numbers import stats_of
from dllint.diagnose.probes.torch import anatomy
from dllint.diagnose.probes.torch.flow import Flow, ModelCall, is_ordinary
from dllint.diagnose.probes.torch.seclusion import aside, is_traced
from dllint.diagnose.probes.torch.statistics import Readout, sharded_axes, stats_numbers
from dllint.diagnose.probes.torch.units import UnitWatch, activation_kind
from dllint.diagnose.records import LayerRecord, LayerSample, ParameterRecord, TensorStats

P = ParamSpec("P")

_MOST_OUTER: Final = 4


class Modules:
    """All modules of the program. ``names`` gives each known module its unique name, ``parameters`` each parameter
    its name and its layer."""

    def __init__(self, monitor: Monitor, patches: Patches, readout: Readout) -> None:
        self._monitor = monitor
        self._patches = patches
        self._readout = readout
        self._built: IdentityMap[nn.Module, tuple[SourcePlace, ...]] = IdentityMap()
        self._titles: dict[str, int] = {}
        self._places: dict[str, tuple[SourcePlace, ...]] = {}
        self._depth = 0
        self._handles: list[Any] = []
        self._units = UnitWatch()
        self._running: list[nn.Module] = []
        self._functions: dict[tuple[str, str, SourcePlace | None], str] = {}
        self._first: str | None = None
        self._given: dict[str, TensorStats] = {}
        self._registered: set[str] = set()
        self._latest: dict[str, LayerSample] = {}
        self._modes: dict[str, bool] = {}
        #: Where a module was last put into evaluation mode.
        self._evaluated: IdentityMap[nn.Module, SourcePlace] = IdentityMap()
        self.flow = Flow()
        #: Called when a model is called in a step that is looked at, and when looking ends.
        self.at_call: Callable[[], None] = lambda: None
        self.at_ignore: Callable[[], None] = lambda: None
        self.names: IdentityMap[nn.Module, str] = IdentityMap()
        self.roots: IdentityMap[nn.Module, str] = IdentityMap()
        self.parameters: IdentityMap[Tensor, tuple[str, str]] = IdentityMap()
        self.samples: dict[str, LayerSample] = {}
        #: What the outermost module was last called with.
        self.last_inputs: tuple[Any, ...] = ()
        #: The class of the loss module that was last called, and the line that built it.
        self.last_loss: tuple[str, SourcePlace | None] = ("", None)
        #: Modules that another probe watches.
        self.is_foreign: Callable[[nn.Module], bool] = lambda module: False

    def install(self) -> None:
        """Note from now on what builds modules."""
        self._patches.wrap(nn.Module, "__init__", self._init)
        self._patches.wrap(nn.Module, "eval", self._eval)
        self.listen()

    @property
    def listening(self) -> bool:
        """Whether outputs of modules are observed."""
        return bool(self._handles)

    @property
    def running(self) -> nn.Module | None:
        """The innermost module under way."""
        return self._running[-1] if self._running else None

    def listen(self) -> None:
        """Look at what modules put out, until :meth:`ignore`."""
        if not self._handles:
            self._begin()
            hooks, guarded = nn.modules.module, self._monitor.guarded
            self._handles = [
                hooks.register_module_forward_pre_hook(guarded("a call of a module could not be observed", self._before)),
                hooks.register_module_forward_hook(
                    guarded("what a module put out could not be observed", self._after), with_kwargs=True
                ),
            ]
            # ``torch.sigmoid(net(x))`` looks the function up before it calls the model.
            if self.roots:
                self.at_call()

    def ignore(self) -> None:
        """Look no longer: modules then run as fast as without a probe."""
        for handle in self._handles:
            handle.remove()
        self._handles = []
        self.at_ignore()

    def take_samples(self) -> dict[str, LayerSample]:
        """The samples since the last call; all readouts must have been flushed."""
        samples, self.samples = self.samples, {}
        for name, given in self._given.items():
            if name in samples:
                is_first = name == self._first
                samples[name] = replace(samples[name], input=given if is_first else None, given=given)
        self._latest = samples
        self._begin()
        return samples

    def take_modes(self) -> dict[str, bool]:
        """The models that were in training mode when they were called since the last time."""
        modes, self._modes = self._modes, {}
        return modes

    def narrowest(self, batch: int) -> int:
        """The least number of outputs per sample that a layer gave in the last sampled step of ``batch`` samples."""
        sizes = [sample.output.count // batch for sample in self._latest.values() if sample.output.count >= batch]
        return min(sizes, default=0)

    def _begin(self) -> None:
        """A step begins."""
        self._first, self._given = None, {}
        self._running = []
        self.flow.begin()

    def place(self, module: nn.Module) -> SourcePlace | None:
        """The innermost of the user's lines that built a module."""
        return next(iter(self._built.get(module, ())), None)

    def _init(self, original: Callable[Concatenate[Any, P], Any], module: nn.Module, *args: P.args, **kwargs: P.kwargs) -> None:
        if self._monitor.active and module not in self._built:
            self._monitor.constructing(sys._getframe(2))
            self._built[module] = tuple(_building_places(module, sys._getframe(2)))
        original(module, *args, **kwargs)

    def _before(self, module: nn.Module, args: tuple[Any, ...]) -> None:
        if not self._monitor.active or not torch.is_grad_enabled() or is_traced():
            return
        with self._monitor.measured():
            if _is_loss(module):
                self.last_loss = (type(module).__name__, self.place(module))
            elif module not in self.names and not _is_wrapper(module) and not self.is_foreign(module):
                self._take_in(module)
            if module in self.roots:
                self.last_inputs = args
                # What the last call gave may be freed, and its memory be that of what is computed inside this one.
                self.flow.call = None
                self._note_mode(module)
                self.at_call()
            self._running.append(module)
            if self._monitor.sampling and args and any(anatomy.own_parameters(module)):
                self._enter(module, args[0])

    def _note_mode(self, root: nn.Module) -> None:
        """A model is called in a training step."""
        name = self.roots[root]
        self._modes[name] = mode = anatomy.is_training(root)
        if not mode and (place := self._evaluated.get(root)) is not None:
            self._monitor.switched_off(name, place)

    def _eval(self, original: Callable[..., Any], module: nn.Module) -> Any:
        place = next(iter(user_places(2, 1)), None) if self._monitor.active else None
        if place is not None:
            self._evaluated[module] = place
        return original(module)

    @property
    def has_evaluated(self) -> bool:
        """Whether the program holds a module that it has put into evaluation mode: an average of the weights, say, which may
        never be called where gradients are computed."""
        return any(not anatomy.is_training(module) for module in self._evaluated)

    def _enter(self, module: nn.Module, given: Any) -> None:
        """A layer with weights is called."""
        self.flow.enter(given)
        if module in self.names and (self._first is None or self._monitor.thorough):
            name = self.names[module]
            self._first = self._first or name
            if is_ordinary(given) and given.is_floating_point() and given.numel():
                with aside():
                    self._readout.ask(stats_numbers(given), lambda numbers: self._given.update({name: stats_of(numbers)}))

    def adopt(self, root: nn.Module) -> None:
        """Name a model and all that it holds."""
        title = type(root).__name__
        self._titles[title] = self._titles.get(title, 0) + 1
        model = title if self._titles[title] == 1 else f"{title}#{self._titles[title]}"
        self.roots[root] = model
        for path, module in anatomy.named_modules(root):
            if module not in self.names and not self.is_foreign(module):
                self._name(module, f"{model}.{path}" if path else model, model)

    def _take_in(self, module: nn.Module) -> None:
        """An unknown module is called: a part that a known model, which is under way, has got since, or a model of its own."""
        root = next((running for running in self._running if running in self.roots), None)
        held = list(anatomy.named_modules(root)) if root is not None else []
        path = next((path for path, part in held if part is module), None)
        if root is None or path is None:
            self.adopt(module)
            return
        model = self.roots[root]
        for inner, part in anatomy.named_modules(module):
            if part not in self.names and not self.is_foreign(part):
                self._name(part, ".".join(filter(None, (model, path, inner))), model, is_late=True)

    def _name(self, module: nn.Module, name: str, model: str, *, is_late: bool = False) -> None:
        self.names[module] = name
        places = self._built.get(module) or self._places_of_holder(name)
        self._places[name] = places
        place, outer = next(iter(places), None), places[1:]
        self._monitor.layer(LayerRecord(name, type(module).__name__, place, outer, self._depth, model, is_late))
        self._depth += 1
        for own, parameter in anatomy.own_parameters(module):
            self.parameters.setdefault(parameter, (f"{name}.{own}", name))
            # What it takes the place of may have been reported.
            self._registered.discard(f"{name}.{own}")

    def _places_of_holder(self, name: str) -> tuple[SourcePlace, ...]:
        """A copied or loaded module has no places of its own; those of what holds it are the nearest."""
        return self._places.get(name.rpartition(".")[0], ())

    def _after(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        monitor = self._monitor
        if not monitor.active or not monitor.sampling or not torch.is_grad_enabled() or is_traced():
            return
        with monitor.measured(), aside():
            self._leave(module)
            name = self.names.get(module)
            is_leaf = next(anatomy.children(module), None) is None
            if name is None or not (is_leaf or module in self.roots):
                return
            tensor = next(float_tensors(output), None)
            if tensor is not None and tensor.numel() and is_ordinary(tensor):
                if module in self.roots:
                    places = tuple(part.data_ptr() for part in float_tensors(output) if is_ordinary(part))
                    self.flow.call = ModelCall(ref(module), args, kwargs, places)
                self._follow(module, name, args, tensor, is_leaf)
                self._sample(activation_kind(module), name, tensor)

    def _leave(self, module: nn.Module) -> None:
        """A module is done; those that an exception has ended are passed over."""
        while self._running and self._running.pop() is not module:
            pass

    def _follow(self, module: nn.Module, name: str, args: tuple[Any, ...], output: Tensor, is_leaf: bool) -> None:
        """Note what went in and came out."""
        self._units.follow(module)
        kind = activation_kind(module)
        if kind:
            self.flow.make(output, kind, name)
        elif is_leaf and args and not any(anatomy.own_parameters(module)):
            self.flow.pass_on(args[0], output)

    def _sample(self, kind: str, name: str, output: Tensor) -> None:
        units = self._units.ask(kind, name, output, self._readout, lambda: self.flow.feeds(name))

        def keep(numbers: list[float]) -> None:
            self.samples[name] = LayerSample(stats_of(numbers), units())

        self._readout.ask(stats_numbers(output), keep)

    def sample_function(self, kind: str, place: SourcePlace | None, output: Tensor) -> None:
        """An activation was called as a function: a layer of the module that is running."""
        owner = self.names.get(self.running) if self.running is not None else None
        if owner is None:
            self.flow.make(output, kind, "")
            return
        name = self._functions.get((owner, kind, place))
        if name is None:
            same = sum(known[:2] == (owner, kind) for known in self._functions)
            name = self._functions[owner, kind, place] = f"{owner}.{kind}" if not same else f"{owner}.{kind}#{same + 1}"
            self._monitor.layer(LayerRecord(name, kind, place, (), self._depth, owner.partition(".")[0]))
            self._depth += 1
        with aside():
            self.flow.make(output, kind, name)
            self._sample(kind, name, output.detach())

    def register_parameters(self, optimizer_of: dict[int, str], *, again: bool) -> None:
        """Report to the monitor all parameters of models that were used; ``again`` also of those that it knows. (In the end
        their optimizers may be gone.)
        """
        for root in self.roots:
            for _, parameter in anatomy.named_parameters(root):
                name, layer = self.parameters.get(parameter, ("", ""))
                if name and (again or name not in self._registered):
                    self._registered.add(name)
                    self._monitor.parameter(
                        ParameterRecord(
                            name,
                            layer,
                            tuple(parameter.shape),
                            str(parameter.dtype).removeprefix("torch."),
                            parameter.requires_grad,
                            optimizer_of.get(id(parameter)),
                            sharded_axes(parameter),
                        )
                    )


def float_tensors(value: Any) -> Iterator[Tensor]:
    """The floating-point tensors in what a module gives or takes."""
    if isinstance(value, Tensor):
        if value.is_floating_point():
            yield value
    elif isinstance(value, dict | tuple | list):
        for _, item in parts(value):
            yield from float_tensors(item)


def _is_wrapper(module: nn.Module) -> bool:
    """Whether a module is what the compiler has made of another one."""
    state = state_of(module)
    return "_orig_mod" in state or "_orig_mod" in state.get("_modules", {})


def _is_loss(module: nn.Module) -> bool:
    return isinstance(module, nn.modules.loss._Loss)


def _building_places(module: nn.Module, frame: FrameType | None) -> Iterator[SourcePlace]:
    """The user's lines that build a module, innermost first, without its own constructors."""
    found = 0
    for caller in user_frames(frame):
        if found == _MOST_OUTER:
            return
        if caller.f_code.co_name == "__init__" and _first_argument(caller) is module:
            continue
        found += 1
        yield place_of(caller)


def _first_argument(frame: FrameType) -> object:
    code = frame.f_code
    return frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
