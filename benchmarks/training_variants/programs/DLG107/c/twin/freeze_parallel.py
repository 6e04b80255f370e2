import torch
import torch.nn as nn
import torch.nn.functional as F


class BirdNet(nn.Module):
    def __init__(self, species):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2), nn.ReLU())
        self.classifier = nn.Linear(16, species)

    def forward(self, spectrogram):
        return self.classifier(self.features(spectrogram).mean((2, 3)))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = nn.DataParallel(BirdNet(6)).to(device)
    for p in net.module.features.parameters():
        p.requires_grad = False
    optimizer = torch.optim.SGD(net.module.classifier.parameters(), lr=0.1, momentum=0.9)
    x = torch.rand(30, 1, 20, 20, device=device)
    y = torch.randint(0, 6, (30,), device=device)
    for epoch in range(5):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
