"""Forward-forward learning after pytorch/examples/mnist_forward_forward: each layer has an optimiser and a loss of its own."""

import sys
from itertools import pairwise

import torch
from torch import nn
from torch.optim import Adam


def overlay_y_on_x(x, y, classes=4):
    x_ = x.clone()
    x_[:, :classes] = 0.0
    x_[range(x.shape[0]), y] = 1.0
    return x_


class Layer(nn.Linear):
    def __init__(self, in_features, out_features):
        super().__init__(in_features, out_features)
        self.relu = nn.ReLU()
        self.opt = Adam(self.parameters(), lr=0.01)
        self.threshold = 1.5

    def forward(self, x):
        direction = x / (x.norm(2, 1, keepdim=True) + 1e-4)
        return self.relu(torch.mm(direction, self.weight.T) + self.bias)

    def train_layer(self, x_pos, x_neg):
        for _ in range(100):
            g_pos = self.forward(x_pos).pow(2).mean(1)
            g_neg = self.forward(x_neg).pow(2).mean(1)
            loss = torch.log(1 + torch.exp(torch.cat([-g_pos + self.threshold, g_neg - self.threshold]))).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return self.forward(x_pos).detach(), self.forward(x_neg).detach()


class Net(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.layers = nn.ModuleList(Layer(first, second) for first, second in pairwise(dims))

    def train_net(self, x_pos, x_neg):
        for layer in self.layers:
            x_pos, x_neg = layer.train_layer(x_pos, x_neg)

    def predict(self, x):
        goodness_per_label = []
        for label in range(4):
            h, goodness = overlay_y_on_x(x, torch.full((len(x),), label)), 0.0
            for layer in self.layers:
                h = layer(h)
                goodness = goodness + h.pow(2).mean(1)
            goodness_per_label.append(goodness)
        return torch.stack(goodness_per_label, 1).argmax(1)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
y = torch.randint(0, 4, (600,))
x = torch.cat([torch.zeros(600, 4), (torch.randn(4, 28)[y] + 0.7 * torch.randn(600, 28))], 1)
net = Net([32, 64, 64])
wrong = (y + torch.randint(1, 4, (600,))) % 4
net.train_net(overlay_y_on_x(x, y)[:400], overlay_y_on_x(x, wrong)[:400])
accuracy = float((net.predict(x[400:]) == y[400:]).float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.8
