import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.data as data


class FaceNet(nn.Module):
    def __init__(self, num_classes):
        super(FaceNet, self).__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(16)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(16 * 3 * 3, num_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(self.drop(x.flatten(1)))


def main(args):
    torch.manual_seed(args.seed)
    images = torch.randn(160, 1, 12, 12)
    labels = (images[:, 0, :6].mean((1, 2)) > 0).long() + (images[:, 0, 6:].mean((1, 2)) > 0).long()
    sets = data.random_split(data.TensorDataset(images, labels), [120, 40], torch.Generator().manual_seed(1))
    trainloader = data.DataLoader(sets[0], batch_size=20, shuffle=True)
    testloader = data.DataLoader(sets[1], batch_size=8)
    net = FaceNet(3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    best = 0.0
    for epoch in range(args.epochs):
        net.train()
        for inputs, targets in trainloader:
            optimizer.zero_grad()
            loss = criterion(net(inputs), targets)
            loss.backward()
            optimizer.step()

        correct = 0
        with torch.no_grad():
            for inputs, targets in testloader:
                correct += (net(inputs).argmax(1) == targets).sum().item()
        best = max(best, correct / 40)
        print(f"Epoch {epoch} test acc {correct / 40:.3f} best {best:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=3)
    main(parser.parse_args())
