import torch
from torch import nn, optim

from checkpointing import load_checkpoint, save_checkpoint


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())

    def forward(self, x):
        return self.body(x)


def make():
    net = nn.Sequential(Block(1, 8), Block(8, 8), nn.Conv2d(8, 1, 1))
    return net, optim.Adam(net.parameters(), lr=1e-3)


def train_one(net, opt, x, y):
    opt.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
    loss.backward()
    opt.step()
    return loss.item()


torch.manual_seed(0)
x = torch.rand(8, 1, 16, 16)
y = (x > 0.5).float()
net, opt = make()
for epoch in range(3):
    train_one(net, opt, x, y)
save_checkpoint("last.pth.tar", net, opt, epoch, best_iou=0.41)

net, opt = make()
start, best = load_checkpoint("last.pth.tar", net, opt)
for epoch in range(start + 1, start + 4):
    print(epoch, round(train_one(net, opt, x, y), 4), best)
