"""Predict the range of a set of numbers with attention over its members."""

import sys

import torch
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)


def sets(count):
    members = torch.rand(count, 8, 1) * 2 - 1
    return members, members.amax(1) - members.amin(1)


class SetModel(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(1, width), nn.ReLU(), nn.Linear(width, width))
        layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.out = nn.Linear(width, 1)

    def forward(self, members):
        return self.out(self.encoder(self.embed(members)).amax(1))


x_train, y_train = sets(2000)
x_valid, y_valid = sets(500)
model = SetModel()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
for epoch in range(8):
    for rows in torch.randperm(2000).split(50):
        loss = nn.functional.smooth_l1_loss(model(x_train[rows]), y_train[rows])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = (model(x_valid) - y_valid).abs().mean().item()
    plateau.step(error)
    print(f"epoch {epoch}: error {error:.4f}")
