"""DLD104: a network trained on ImageNet gets pictures on another scale than it was trained on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.pictures_as_stored import AsStored, taken_as_stored
from dllint.analysis.pretrained_inputs import Given, scaled_otherwise
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Fit
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: Architectures whose first layers rescale pictures themselves, so that ``preprocess_input`` does nothing.
_RESCALING: Final = ("EfficientNet", "MobileNetV3", "ConvNeXt")


class PretrainedPreprocessingMissing(Rule[Fit | Program]):
    """A network with weights of ImageNet gets pictures on another scale than it was trained on.

    ## What it finds
    In PyTorch, pictures of a loader whose numbers go from 0 to 1 (`ToTensor`) or to 255, which nothing normalises before a
    network of `torchvision.models`. In Keras, with `keras.applications`, pictures that are divided by 255 before an
    EfficientNet, MobileNetV3 or ConvNeXt, which do this themselves, or before a VGG or ResNet, which were trained on 0 to 255
    less the mean; pictures of 0 to 255 as they are before a network that was trained on numbers around 0 (MobileNet,
    MobileNetV2, Inception, Xception, NASNet, DenseNet, ResNetV2).

    ## Why it is bad
    The weights were trained on other numbers: all pictures look almost black to the network, or far too bright, and its
    features tell little. Nothing fails; the accuracy stays low, most of all where the network is not trained further.

    ## Bad
    ```python
    import keras
    from keras.applications import EfficientNetB0

    (x, y), _ = keras.datasets.cifar10.load_data()
    base = EfficientNetB0(include_top=False, input_shape=(32, 32, 3), pooling="avg")
    base.trainable = False
    model = keras.Sequential([base, keras.layers.Dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x / 255.0, y)  # error: [DLD104]
    ```

    ```python
    import torch
    from torch import nn
    from torchvision import datasets, models, transforms

    data = datasets.ImageFolder("photos", transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor()]))
    model = models.resnet18(weights="DEFAULT")
    model.fc = nn.Linear(512, 5)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for x, y in torch.utils.data.DataLoader(data, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()  # error: [DLD104]
        optimizer.step()
    ```

    ## Good
    ```python
    import keras
    from keras.applications import EfficientNetB0

    (x, y), _ = keras.datasets.cifar10.load_data()
    base = EfficientNetB0(include_top=False, input_shape=(32, 32, 3), pooling="avg")
    base.trainable = False
    model = keras.Sequential([base, keras.layers.Dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x, y)
    ```

    ## When it stays silent
    Networks that are trained from the start (`weights=None`) or have got other weights (`load_weights`), a layer that
    rescales before the network, `preprocess_input`, pictures that are normalised, by whatever numbers, and pictures whose
    numbers are not known.
    ```python
    import keras
    from keras.applications import MobileNetV2, ResNet50
    from keras.applications.resnet50 import preprocess_input

    (x, y), _ = keras.datasets.cifar10.load_data()
    fresh = ResNet50(weights=None, include_top=False, input_shape=(32, 32, 3), pooling="avg")
    base = MobileNetV2(include_top=False, input_shape=(32, 32, 3), pooling="avg")
    rescaled = keras.Sequential([keras.layers.Rescaling(1 / 127.5, offset=-1), base, keras.layers.Dense(10)])
    rescaled.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    rescaled.fit(x, y)
    plain = keras.Sequential([fresh, keras.layers.Dense(10, activation="softmax")])
    plain.compile("adam", "sparse_categorical_crossentropy")
    plain.fit(x / 255.0, y)
    known = keras.Sequential([ResNet50(include_top=False, pooling="avg"), keras.layers.Dense(10, activation="softmax")])
    known.compile("adam", "sparse_categorical_crossentropy")
    known.fit(preprocess_input(x), y)
    ```

    ## References
    - Keras documentation, `keras.applications`: each architecture names what its inputs have to be; Humbatova et al.,
      ICSE 2020: wrong pixel encoding. Torchvision documentation, `torchvision.models`: the transforms of weights.
    """

    code = "DLD104"
    name = "pretrained-preprocessing-missing"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("keras", "torch")
    topics: ClassVar[tuple[str, ...]] = ("event:fit", "program")
    needs: ClassVar[tuple[str, ...]] = ("call:torchvision.models.*",)

    def check(self, item: Fit | Program, context: Context) -> Iterator[Finding]:
        """The data of a model in which there is such a network."""
        if isinstance(item, Program):
            for found in taken_as_stored(context.facts):
                yield self._as_stored(found, context)
            return
        for given in scaled_otherwise(item, context.facts):
            if _was_told(given, item, context):
                continue
            related = context.related(given.network.site, f"{quoted(given.name)} is made here, with weights of ImageNet")
            yield context.finding(
                self,
                item,
                f"the pictures have numbers up to {given.highest:g}, but {quoted(given.name)} {_trained(given)}"
                f"{context.condition_note(item)}",
                advice=_advice(given),
                related=[related] if related else [],
            )

    def _as_stored(self, found: AsStored, context: Context) -> Finding:
        name = quoted(found.network.name.rpartition(".")[2])
        related = context.related(found.network, f"{name} is made here, with weights of ImageNet")
        return context.finding(
            self,
            found.first,
            f"the pictures have numbers from {found.numbers[0]:g} to {found.numbers[1]:g}, but {name} was trained on numbers "
            f"less the mean of ImageNet, divided by its deviation{context.condition_note(found.first)}",
            advice="put `Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])` behind `ToTensor()`",
            related=[related] if related else [],
        )


def _was_told(given: Given, fit: Fit, context: Context) -> bool:
    """Whether an earlier use of the network has pictures of that scale, too."""
    for other in context.facts.events(Fit):
        if other is fit:
            return False
        if any(one.network is given.network for one in scaled_otherwise(other, context.facts)):
            return True
    return False


def _trained(given: Given) -> str:
    if given.name.startswith(_RESCALING):
        return "takes 0 to 255 and rescales them itself"
    return "was trained on 0 to 255 less the mean" if given.expected > 1 else "was trained on numbers around 0"


def _advice(given: Given) -> str:
    if given.name.startswith(_RESCALING):
        return "leave the division by 255 out"
    return "put them through `preprocess_input` of its module" + (" in place of the division" if given.expected > 1 else "")
