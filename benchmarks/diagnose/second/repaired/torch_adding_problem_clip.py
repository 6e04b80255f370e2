"""Recurrent regression on long sequences of sensor readings with gradient clipping."""

import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_sequences(count, length, generator):
    values = torch.rand(count, length, generator=generator)
    marks = torch.zeros(count, length)
    first = torch.randint(0, length // 2, (count,), generator=generator)
    second = torch.randint(length // 2, length, (count,), generator=generator)
    rows = torch.arange(count)
    marks[rows, first] = 1.0
    marks[rows, second] = 1.0
    targets = (values * marks).sum(1, keepdim=True)
    return TensorDataset(torch.stack([values, marks], dim=2), targets)


class Regressor(nn.Module):
    """A rectified recurrent network that starts from the identity."""

    def __init__(self, inputs, hidden):
        super().__init__()
        self.rnn = nn.RNN(inputs, hidden, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.reset()

    def reset(self):
        nn.init.eye_(self.rnn.weight_hh_l0)
        nn.init.normal_(self.rnn.weight_ih_l0, std=0.1)
        nn.init.zeros_(self.rnn.bias_ih_l0)
        nn.init.zeros_(self.rnn.bias_hh_l0)

    def forward(self, x):
        _, last = self.rnn(x)
        return self.out(last[-1])


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best = math.inf
        self.bad = 0

    def __call__(self, value):
        if value < self.best:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def fit_epoch(model, loader, optimizer, criterion, max_norm):
    model.train()
    losses = []
    for sequences, targets in loader:
        loss = criterion(model(sequences), targets)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.inference_mode()
def evaluate(model, loader, criterion):
    model.eval()
    losses = [criterion(model(sequences), targets).item() for sequences, targets in loader]
    return sum(losses) / len(losses)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--length", type=int, default=16)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--max-norm", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--patience", type=int, default=40)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    train_loader = DataLoader(make_sequences(2000, args.length, generator), args.batch_size, shuffle=True)
    valid_loader = DataLoader(make_sequences(500, args.length, generator), 250)

    model = Regressor(2, args.hidden)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)
    stopper = EarlyStopping(args.patience)
    for epoch in range(args.epochs):
        train_loss = fit_epoch(model, train_loader, optimizer, criterion, args.max_norm)
        valid_loss = evaluate(model, valid_loader, criterion)
        print(f"epoch {epoch:2d}  train {train_loss:.4f}  valid {valid_loss:.4f}")
        if stopper(valid_loss):
            break
    print(f"final valid loss {valid_loss:.4f}")


if __name__ == "__main__":
    main()
