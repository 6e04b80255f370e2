import os

import torch
import torch.nn as nn

CHECKPOINT = "deblur_epoch2.pt"


def init_weights(m):
    if isinstance(m, nn.Conv2d):
        nn.init.normal_(m.weight, 0.0, 0.05)
        if m.bias is not None:
            nn.init.zeros_(m.bias)


class DeblurNet(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, ch, 3, padding=1), nn.LeakyReLU(0.1), nn.Conv2d(ch, ch, 3, padding=1), nn.LeakyReLU(0.1), nn.Conv2d(ch, 1, 1)
        )

    def forward(self, x):
        return x + self.layers(x)


def prepare(resume):
    net = DeblurNet()
    if resume and os.path.isfile(CHECKPOINT):
        net.load_state_dict(torch.load(CHECKPOINT, weights_only=True))
    net.apply(init_weights)
    return net


def train(net, epochs):
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(epochs):
        sharp = torch.rand(16, 1, 12, 12)
        blurred = nn.functional.avg_pool2d(sharp, 3, 1, 1)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(blurred), sharp)
        loss.backward()
        optimizer.step()
        print("  loss %.5f" % loss.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    first = prepare(resume=False)
    print("first run")
    train(first, 3)
    torch.save(first.state_dict(), CHECKPOINT)
    print("second run")
    second = prepare(resume=True)
    same = torch.equal(first.layers[0].weight, second.layers[0].weight)
    train(second, 2)
    print("resumed from the saved weights:", same)
