"""DLD112: the steps of a data pipeline stand in an order that raises or that undoes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.cached_draws import CachedDraw, cached_draws
from dllint.analysis.pipelines import COMPOSE, class_of, steps_before, transforms
from dllint.finding import Confidence, Finding, Severity
from dllint.frameworks.torchvision.image_kinds import Kind, Misplaced, kinds, misplaced
from dllint.ir.events import LibraryCall
from dllint.ir.values import InstanceVal
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_SHUFFLE, _BATCH, _UNBATCH, _CACHE = (f"tensorflow.data.Dataset.{name}" for name in ("shuffle", "batch", "unbatch", "cache"))


class PipelineOrder(Rule[LibraryCall]):
    """The steps of a data pipeline stand in an order that raises, or that makes one of them useless.

    ## What it finds
    - `torchvision.transforms.Compose`: a transform that gets an image of a kind which it does not take, whatever goes into the
      pipeline: `Normalize` before `ToTensor`, a second `ToTensor`, `PILToTensor` before `Normalize`.
    - `tf.data`: `shuffle` behind `batch`, which puts whole batches in another order and leaves their samples together;
      `cache` behind a `map` that changes samples at random, in data that a model is trained with for several epochs.

    ## Why it is bad
    The first raises on the first image. With the second, each batch has the same samples in every epoch: neighbours in the
    file, often of one class. With the third, what was drawn in the first epoch is kept: every later epoch has the same changes.

    ## Bad
    ```python
    from torchvision import transforms

    train = transforms.Compose(
        [
            transforms.Resize(224),
            transforms.Normalize([0.5], [0.5]),  # error: [DLD112]
            transforms.ToTensor(),
        ]
    )
    ```

    ```python
    import tensorflow as tf

    data = tf.data.Dataset.from_tensor_slices((tf.zeros((600, 8)), tf.zeros((600,))))
    data = data.batch(32).shuffle(600)  # error: [DLD112]
    ```

    ```python
    import keras
    import tensorflow as tf


    def changed(x, y):
        return x + tf.random.normal(tf.shape(x), stddev=0.1), y


    data = tf.data.Dataset.from_tensor_slices((tf.zeros((600, 8)), tf.zeros((600,))))
    data = data.map(changed).cache().shuffle(600).batch(32)  # error: [DLD112]
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(data, epochs=10)
    ```

    ## Good
    ```python
    from torchvision import transforms

    train = transforms.Compose(
        [
            transforms.Resize(224),
            transforms.ToTensor(),
            transforms.Normalize([0.5], [0.5]),
        ]
    )
    ```

    ```python
    import tensorflow as tf

    data = tf.data.Dataset.from_tensor_slices((tf.zeros((600, 8)), tf.zeros((600,))))
    data = data.shuffle(600).batch(32)
    ```

    ## When it stays silent
    Transforms that are not known, which may turn the image into another kind, those of `torchvision.transforms.v2`, which leave
    what they do not transform as it is, batches of samples that were shuffled before, and caches of data that a model is
    validated with, whose changes are to be the same in every epoch.
    ```python
    import tensorflow as tf
    from torchvision import transforms

    train = transforms.Compose(
        [
            transforms.Normalize([0.5], [0.5]),
            transforms.ToPILImage(),
            transforms.RandomHorizontalFlip(),
            transforms.ToTensor(),
        ]
    )
    data = tf.data.Dataset.from_tensor_slices((tf.zeros((600, 8)), tf.zeros((600,))))
    data = data.shuffle(600).batch(32).shuffle(10)
    ```

    ## References
    - torchvision documentation, "Transforming images"; the kinds were found by running torchvision 0.27.
    - TensorFlow documentation, "tf.data: Build TensorFlow input pipelines", training workflows.
    - Humbatova et al., ICSE 2020: wrong position of the data shuffle.
    """

    code = "DLD112"
    name = "pipeline-order"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    frameworks = ("torch", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (COMPOSE, _SHUFFLE, _CACHE)

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """A pipeline that is put together, or a step that is added to one."""
        if (parts := transforms(item)) is not None:
            for found in misplaced([class_of(part) for part in parts]):
                yield self._raising(item, found, parts, context)
        elif item.name == _SHUFFLE:
            yield from self._late_shuffle(item, context)
        elif item.name == _CACHE:
            yield from (self._late_cache(found, context) for found in cached_draws(context.facts) if found.cache is item)

    def _raising(self, item: LibraryCall, found: Misplaced, parts: list[InstanceVal], context: Context) -> Finding:
        at, maker = parts[found.number], parts[found.maker]
        name, before = (class_of(part).rpartition(".")[2] for part in (at, maker))
        conversion = kinds(class_of(maker))
        if conversion is not None and Kind.PICTURE not in conversion.takes:
            message = f"`{before}` stands before `{name}`: it takes tensors only, and `{name}` makes one"
            advice, site, other = f"put `{before}` behind `{name}`", maker.site, at.site
        else:
            image = _SHOWN[found.given & (Kind.BYTES | Kind.PICTURE)]
            message = f"`{name}` gets {image} from `{before}`, which it does not take"
            advice, site, other = f"remove `{name}`, or convert the image before it", at.site, maker.site
        related = context.related(other, f"`{name}` stands here" if site is maker.site else f"`{before}` gives it here")
        return context.finding(self, site or item, message, advice=advice, related=[related] if related else [])

    def _late_shuffle(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """``shuffle`` behind ``batch``, without one before it."""
        steps = list(steps_before(item, context.facts.events(LibraryCall)))
        names = [step.name for step in steps]
        batch = next((step for step in steps if step.name == _BATCH), None)
        if batch is None or _UNBATCH in names or _SHUFFLE in names:
            return
        related = context.related(batch, "the batches are made here")
        yield context.finding(
            self,
            item,
            "`shuffle` behind `batch` reorders whole batches: each of them keeps the same samples",
            advice="call `shuffle` before `batch`",
            related=[related] if related else [],
            severity=Severity.WARNING,
        )

    def _late_cache(self, found: CachedDraw, context: Context) -> Finding:
        """``cache`` behind a random change."""
        notes = (context.related(found.draw, "this is drawn"), context.related(found.fit, "all epochs get what was drawn once"))
        return context.finding(
            self,
            found.cache,
            f"`cache` behind {operation(found.draw, context)} keeps what was drawn in the first epoch for all others",
            advice="call `cache` before the random `map`",
            related=[note for note in notes if note is not None],
            severity=Severity.WARNING,
        )


_SHOWN: Final = {Kind.BYTES: "a tensor of bytes", Kind.PICTURE: "a picture", Kind(0): "a tensor"}
