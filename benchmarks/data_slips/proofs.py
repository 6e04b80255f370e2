"""Programs of our own that have a place for each kind of fault; those of torch are run, and show which kinds raise."""

from __future__ import annotations

from typing import Final

_START: Final = """
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
"""

CLASSES: Final = (
    _START
    + """
x, y = torch.randn(16, 3), torch.randint(0, 4, (16,))
train_set, test_set = TensorDataset(x, y), TensorDataset(torch.randn(8, 3), torch.randint(0, 4, (8,)))
train_loader = DataLoader(train_set, batch_size=4, shuffle=True)
test_loader = DataLoader(test_set, batch_size=4)
model = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for inputs, target in train_loader:
        optimizer.zero_grad()
        output = model(inputs)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
"""
)

YES_OR_NO: Final = (
    _START
    + """
loader = DataLoader(TensorDataset(torch.randn(16, 3), torch.rand(16, 1).round()), batch_size=4)
model = nn.Linear(3, 1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for inputs, target in loader:
    optimizer.zero_grad()
    output = model(inputs)
    loss = criterion(output, target)
    loss.backward()
    optimizer.step()
"""
)

THRESHOLD: Final = _START + "scores = torch.randn(4)\nprint((torch.sigmoid(scores) > 0.5).sum())\n"

PROBABILITIES: Final = (
    _START
    + """
scores = torch.randn(4, 3, requires_grad=True)
loss = F.nll_loss(F.log_softmax(scores, dim=1), torch.tensor([0, 1, 2, 0]))
other = F.kl_div(F.log_softmax(scores, dim=1), torch.full((4, 3), 1 / 3), reduction="batchmean")
padded = nn.CrossEntropyLoss(ignore_index=2)(scores, torch.tensor([0, 1, 2, 0]))
(loss + other + padded).backward()
"""
)

BINARY: Final = (
    _START
    + """
scores = torch.randn(4, requires_grad=True)
nn.BCELoss()(torch.sigmoid(scores), torch.ones(4)).backward()
"""
)

PICTURES: Final = (
    _START
    + """
from torchvision import datasets, transforms

flip = transforms.RandomHorizontalFlip()
train_transform = transforms.Compose([flip, transforms.ToTensor(), transforms.Normalize([0.5], [0.5])])
test_transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5], [0.5])])
for transform in (train_transform, test_transform):
    datasets.FakeData(4, (3, 8, 8), transform=transform)[0]
images = np.random.randint(0, 255, (4, 8, 8))
images = images.astype(np.float32) / 255
x = np.random.rand(4, 3)
y = np.random.rand(4)
data = TensorDataset(x, y) if torch.is_tensor(x) else (x, y)
"""
)

RUN: Final = (CLASSES, YES_OR_NO, THRESHOLD, PROBABILITIES, BINARY)

KERAS: Final = """
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = x_train.astype("float32") / 255
x_test = x_test.astype("float32") / 255
model = keras.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x_train, y_train, validation_data=(x_test, y_test))
"""

CODES: Final = KERAS.replace("sparse_", "").replace(
    "model =", "y_train, y_test = keras.utils.to_categorical(y_train), keras.utils.to_categorical(y_test)\nmodel ="
)

ROWS: Final = """
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

x_train, x_test, y_train, y_test = train_test_split(x, y)
scaler = StandardScaler()
x_train = scaler.fit_transform(x_train)
x_test = scaler.transform(x_test)
model = keras.Sequential([layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(x_train, y_train)
"""

NUMBERS: Final = ROWS.replace(', activation="sigmoid"', "").replace("binary_crossentropy", "mse")

FLOWS: Final = """
from tensorflow.keras.applications.resnet50 import ResNet50, preprocess_input
from tensorflow.keras.layers import Embedding
from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.preprocessing.sequence import pad_sequences

train_gen = ImageDataGenerator(preprocessing_function=preprocess_input)
test_gen = ImageDataGenerator(preprocessing_function=preprocess_input)
flow = test_gen.flow_from_directory("test", shuffle=False)
print(model.predict(flow).argmax(1) == flow.classes, keras.applications)
words = Embedding(100, 8, mask_zero=True)(pad_sequences(texts))
"""

READ: Final = (PICTURES, KERAS, CODES, ROWS, NUMBERS, FLOWS)
