import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class FraudDataset(Dataset):
    def __init__(self, n=200):
        g = torch.Generator().manual_seed(3)
        self.x = torch.randn(n, 8, generator=g)
        self.y = (self.x[:, 0] > 1.0).float()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, idx):
        return self.x[idx], self.y[idx]


def make_loader(dataset, rank=0, world_size=1, batch_size=25):
    sampler = DistributedSampler(dataset, num_replicas=world_size, rank=rank)
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, sampler=sampler, pin_memory=False)


def main():
    torch.manual_seed(3)
    loader = make_loader(FraudDataset())
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(x).squeeze(-1), y)
            loss.backward()
            optimizer.step()
    print("loss", round(loss.item(), 4))


main()
