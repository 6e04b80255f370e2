"""Every spelling of a Keras object has one canonical name."""

import pytest

from dllint.frameworks.keras.names import canonical

SPELLINGS = {
    "keras": "keras tensorflow.keras keras.src keras.api tf_keras tensorflow.python.keras",
    "keras.layers": "keras.layers tensorflow.keras.layers keras.src.layers keras.api.layers",
    "keras.layers.Dense": "keras.layers.Dense tensorflow.keras.layers.Dense keras.src.layers.core.dense.Dense "
    "keras.layers.core.Dense "
    "tensorflow.python.keras.layers.Dense keras.api._v2.keras.layers.Dense tf_keras.layers.Dense",
    "keras.layers.Conv2D": "keras.layers.convolutional.Conv2D keras.layers.Convolution2D "
    "keras.layers.convolutional.Convolution2D",
    "keras.layers.MaxPooling2D": "keras.layers.MaxPool2D keras.layers.pooling.MaxPooling2D",
    "keras.layers.BatchNormalization": "keras.layers.normalization.BatchNormalization keras.layers.BatchNormalization",
    "keras.layers.Layer": "keras.Layer keras.engine.topology.Layer keras.layers.Layer keras.src.layers.layer.Layer",
    "keras.layers.concatenate": "keras.layers.concatenate keras.layers.merge.concatenate",
    "keras.layers.Rescaling": "keras.layers.experimental.preprocessing.Rescaling keras.layers.Rescaling",
    "keras.Model": "keras.Model keras.models.Model keras.engine.training.Model keras.src.models.Functional "
    "keras.models.Functional",
    "keras.Model.fit": "keras.Model.fit keras.models.Model.fit",
    "keras.Sequential": "keras.models.Sequential tensorflow.keras.Sequential keras.engine.sequential.Sequential",
    "keras.Input": "keras.Input keras.layers.Input keras.engine.input_layer.Input tensorflow.keras.Input",
    "keras.utils.to_categorical": "keras.utils.np_utils.to_categorical keras.utils.to_categorical",
    "keras.utils.pad_sequences": "keras.preprocessing.sequence.pad_sequences keras.utils.pad_sequences",
    "keras.ops.add": "keras.ops.add keras.ops.numpy.add keras.src.ops.numpy.add",
    "keras.backend.image_data_format": "keras.src.backend.image_data_format keras.backend.image_data_format",
    "keras.utils.get_source_inputs": "keras.utils.get_source_inputs",
    "keras.applications.VGG16": "keras.applications.VGG16 keras.applications.vgg16.VGG16 "
    "tensorflow.keras.applications.vgg16.VGG16",
    "keras.applications.vgg16.preprocess_input": "keras.applications.vgg16.preprocess_input",
    "keras.applications.ResNet50": "keras.applications.resnet50.ResNet50 keras.applications.resnet.ResNet50",
    "keras.preprocessing.image.ImageDataGenerator": "keras.preprocessing.image.ImageDataGenerator "
    "tensorflow.keras.preprocessing.image.ImageDataGenerator keras.src.legacy.preprocessing.image.ImageDataGenerator",
    "keras.optimizers.Adam": "keras.optimizers.Adam tensorflow.keras.optimizers.Adam keras.optimizers.legacy.Adam",
    "keras.losses.BinaryCrossentropy": "keras.losses.BinaryCrossentropy keras.src.losses.losses.BinaryCrossentropy",
}


@pytest.mark.parametrize(("wanted", "spelled"), [(w, s) for w, many in SPELLINGS.items() for s in many.split()])
def test_spelling(wanted, spelled):
    assert canonical(spelled) == wanted


@pytest.mark.parametrize("name", ["torch.nn.Linear", "tensorflow.nn.relu", "kerastuner.Tuner", "tensorflow", "numpy.keras"])
def test_other_libraries_are_not_ours(name):
    assert canonical(name) is None


@pytest.mark.parametrize("name", SPELLINGS)
def test_canonical_names_are_fixed_points(name):
    assert canonical(name) == name
