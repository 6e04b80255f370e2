import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    def __init__(self, n=128, length=64):
        t = torch.linspace(0, 6.28, length)
        freq = torch.rand(n, 1) * 4 + 1
        self.clean = torch.sin(freq * t)
        self.noisy = self.clean + 0.3 * torch.randn_like(self.clean)

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, i):
        return self.noisy[i], self.clean[i]


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 16, 5, padding=2), nn.ReLU(), nn.Conv1d(16, 16, 5, padding=2), nn.ReLU(), nn.Conv1d(16, 1, 5, padding=2)
        )

    def forward(self, x):
        return self.net(x.unsqueeze(1)).squeeze(1)


class Trainer:
    def __init__(self, model, dataset, lr):
        self.model = model
        self.loader = DataLoader(dataset, batch_size=32, shuffle=True)
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def run_epoch(self):
        losses = []
        for noisy, clean in self.loader:
            self.opt.zero_grad()
            restored = self.model(noisy)
            loss = nn.functional.l1_loss(restored, clean)
            loss.backward()
            losses.append(loss.item())
        return sum(losses) / len(losses)


def main():
    torch.manual_seed(5)
    trainer = Trainer(Denoiser(), Waves(), lr=3e-3)
    for epoch in range(5):
        print("epoch", epoch, "L1 %.5f" % trainer.run_epoch())


main()
