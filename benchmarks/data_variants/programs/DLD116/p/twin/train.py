"""Star ratings from 1 to 5 with a five-way classifier."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, n, seed):
        gen = torch.Generator().manual_seed(seed)
        self.stars = torch.randint(1, 6, (n,), generator=gen)
        self.text = torch.randn(n, 16, generator=gen) + self.stars[:, None] * torch.linspace(-0.3, 0.3, 16)

    def __len__(self):
        return len(self.stars)

    def __getitem__(self, i):
        return self.text[i], self.stars[i] - 1


def main(epochs=4):
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 5))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-3)
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(Reviews(500, 0), batch_size=50, shuffle=True)
    model.train()
    for epoch in range(epochs):
        for text, star in loader:
            loss = criterion(model(text), star)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
