"""A learner of fastai with one-cycle training and a saved model."""

import torch
from fastai.callback.schedule import *  # noqa: F403
from fastai.data.core import DataLoaders
from fastai.learner import Learner
from fastai.metrics import accuracy
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(128, 6)
y = (x[:, 0] > 0).long()
data = TensorDataset(x, y)
loaders = DataLoaders(DataLoader(data, 16, shuffle=True), DataLoader(data, 32))
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
learner = Learner(loaders, model, loss_func=nn.CrossEntropyLoss(), metrics=accuracy, path=".")
with learner.no_bar(), learner.no_logging():
    learner.fit_one_cycle(3, 0.02)
print([[float(v) for v in row] for row in learner.recorder.values])
learner.save("learnt")
