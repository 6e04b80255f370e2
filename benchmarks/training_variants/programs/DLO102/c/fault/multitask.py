import argparse

import torch
from torch import nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=40)
parser.add_argument("--lr", type=float, default=1e-2)
parser.add_argument("--aux", type=float, default=0.3)
args = parser.parse_args()

torch.manual_seed(1)


class SharedTrunk(nn.Module):
    def __init__(self, d_in, d_hidden):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, d_hidden), nn.ReLU())
        self.age = nn.Linear(d_hidden, 1)
        self.sex = nn.Linear(d_hidden, 2)

    def forward(self, x):
        z = self.trunk(x)
        return self.age(z).squeeze(-1), self.sex(z)


x = torch.randn(256, 10)
age = x[:, 0] * 2 + x[:, 1]
sex = (x[:, 2] > 0).long()

net = SharedTrunk(10, 32)
optimizer = optim.Adam(net.parameters(), lr=args.lr)
mse, ce = nn.MSELoss(), nn.CrossEntropyLoss()
before = net.age.weight.detach().clone()

for step in range(args.steps):
    pick = torch.randint(0, len(x), (32,))
    pred_age, pred_sex = net(x[pick])
    loss = mse(pred_age, age[pick]) + args.aux * ce(pred_sex, sex[pick])
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()

print("final loss %.4f" % loss.item())
print("weights moved:", not torch.equal(before, net.age.weight))
