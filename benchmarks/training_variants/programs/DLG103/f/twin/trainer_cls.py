import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, args):
        self.args = args
        self.device = torch.device("cuda", args.gpu)
        self.model = nn.Sequential(nn.Embedding(300, 24), nn.Flatten(), nn.Linear(24 * 16, 2)).to(self.device)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=args.lr)
        self.loss = nn.CrossEntropyLoss()

    def train_epoch(self, loader):
        self.model.train()
        for tokens, label in loader:
            tokens = tokens.to(self.device, non_blocking=True)
            label = label.to(self.device, non_blocking=True)
            self.optim.zero_grad()
            self.loss(self.model(tokens), label).backward()
            self.optim.step()

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        correct = 0
        for tokens, label in loader:
            tokens = tokens.to(self.device)
            pred = self.model(tokens).argmax(dim=1)
            correct += (pred.cpu() == label).sum().item()
        return correct / len(loader.dataset)


def get_loaders(batch_size):
    tokens = torch.randint(0, 300, (320, 16))
    label = (tokens[:, 0] > 150).long()
    train = TensorDataset(tokens[:256], label[:256])
    val = TensorDataset(tokens[256:], label[256:])
    return DataLoader(train, batch_size, shuffle=True), DataLoader(val, batch_size)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--gpu", type=int, default=0)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--epochs", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(0)
    trainer = Trainer(args)
    train_loader, val_loader = get_loaders(32)
    for epoch in range(args.epochs):
        trainer.train_epoch(train_loader)
        print(epoch, trainer.validate(val_loader))
