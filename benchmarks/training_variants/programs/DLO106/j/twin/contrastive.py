import torch
import torch.nn.functional as F
from torch import nn


def augment(x):
    return x + 0.1 * torch.randn_like(x)


class SimCLR(nn.Module):
    def __init__(self, dim=20, feature=32, projection=16, temperature=0.5):
        super().__init__()
        self.temperature = temperature
        self.encoder = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, feature))
        self.projector = nn.Sequential(nn.Linear(feature, feature), nn.ReLU(), nn.Linear(feature, projection))

    def embed(self, x):
        return F.normalize(self.projector(self.encoder(x)), dim=-1)

    def nt_xent(self, a, b):
        z = torch.cat([a, b])
        similarity = z @ z.t() / self.temperature
        similarity = similarity.masked_fill(torch.eye(len(z), dtype=torch.bool), float("-inf"))
        target = torch.arange(len(z)).roll(len(a))
        return F.cross_entropy(similarity, target)

    def forward(self, x):
        return self.nt_xent(self.embed(augment(x)), self.embed(augment(x)))


def main():
    torch.manual_seed(0)
    centres = torch.randn(4, 20) * 2
    data = centres[torch.randint(0, 4, (256,))] + torch.randn(256, 20) * 0.3
    model = SimCLR()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        total = 0.0
        for batch in data.split(64):
            loss = model(batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} nt-xent {total / 4:.4f}")


if __name__ == "__main__":
    main()
