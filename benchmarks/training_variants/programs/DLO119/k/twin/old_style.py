import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class AverageMeter(object):
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count


class TDNN(nn.Module):
    def __init__(self, input_dim=12, hidden=24, speakers=4):
        super(TDNN, self).__init__()
        self.l1 = nn.Conv1d(input_dim, hidden, 3, dilation=1)
        self.l2 = nn.Conv1d(hidden, hidden, 3, dilation=2)
        self.fc = nn.Linear(2 * hidden, speakers)

    def forward(self, x):
        x = F.relu(self.l2(F.relu(self.l1(x))))
        return self.fc(torch.cat([x.mean(2), x.std(2)], dim=1))


def train(epoch, model, optimizer, data, target, batch):
    losses = AverageMeter()
    model.train()
    for x, y in zip(data.split(batch), target.split(batch)):
        output = model(x)
        loss = F.cross_entropy(output, y)
        losses.update(loss.item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("Train Epoch: {}\tLoss: {:.6f}".format(epoch, losses.avg))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(1)
    data = torch.randn(64, 12, 20)
    target = data[:, :4].mean(2).argmax(1)
    model = TDNN()
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(args.epochs):
        train(epoch, model, optimizer, data, target, args.batch_size)
