import torch
import torch.nn as nn

torch.manual_seed(3)


class DepthNet(nn.Module):
    def __init__(self):
        super(DepthNet, self).__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ELU(), nn.Conv2d(16, 16, 3, padding=1), nn.ELU())
        self.head = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        return torch.sigmoid(self.head(self.enc(x)))


def berhu(pred, target):
    diff = (pred - target).abs()
    c = 0.2 * diff.max().detach()
    return torch.where(diff <= c, diff, (diff ** 2 + c ** 2) / (2 * c)).mean()


def gradient_loss(pred, target):
    dx = (pred[..., 1:] - pred[..., :-1]) - (target[..., 1:] - target[..., :-1])
    return dx.abs().mean()


rgb = torch.rand(40, 3, 16, 16)
depth = rgb.mean(1, keepdim=True)
net = DepthNet()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(3):
    epoch_loss = 0
    epoch_grad = 0.0
    for b in range(0, 40, 8):
        pred = net(rgb[b:b + 8])
        loss_d = berhu(pred, depth[b:b + 8])
        loss_g = gradient_loss(pred, depth[b:b + 8])
        loss = loss_d + 0.5 * loss_g
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss
        epoch_grad += loss_g
    print("Epoch: %d  loss: %.4f  grad: %.4f" % (epoch, epoch_loss / 5, epoch_grad / 5))
