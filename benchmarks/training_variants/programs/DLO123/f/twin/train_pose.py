import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import Engine

torch.manual_seed(5)
imgs = torch.rand(96, 1, 20, 20)
joints = torch.stack([imgs.mean((1, 2, 3)), imgs.amax((1, 2, 3))], 1).repeat(1, 3)

model = nn.Sequential(
    nn.Conv2d(1, 8, 5, stride=2),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(8 * 8 * 8, 6),
)
engine = Engine(
    model,
    nn.MSELoss(),
    torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9),
    accumulate_grad_batches=8,
)
engine.fit(DataLoader(TensorDataset(imgs, joints), batch_size=2, shuffle=True), epochs=4)
