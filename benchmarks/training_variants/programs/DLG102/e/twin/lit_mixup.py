import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MixupClassifier(pl.LightningModule):
    def __init__(self, classes=4, alpha=0.4, lr=3e-4):
        super().__init__()
        self.classes, self.alpha, self.lr = classes, alpha, lr
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.features(x))

    def mix(self, x, y):
        y = F.one_hot(y, self.classes).float()
        weights = torch.distributions.Beta(self.alpha, self.alpha).sample((len(x),))
        weights = weights.to(x.device)
        order = torch.randperm(len(x), device=x.device)
        w = weights.view(-1, 1, 1, 1)
        return w * x + (1 - w) * x[order], weights[:, None] * y + (1 - weights[:, None]) * y[order]

    def training_step(self, batch, batch_idx):
        x, y = self.mix(*batch)
        loss = F.cross_entropy(self(x), y)
        self.log("train/loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr)


def main():
    pl.seed_everything(5)
    data = TensorDataset(torch.rand(200, 3, 32, 32), torch.randint(0, 4, (200,)))
    trainer = pl.Trainer(accelerator="gpu", devices=1, max_epochs=2)
    trainer.fit(MixupClassifier(), DataLoader(data, batch_size=50, shuffle=True, num_workers=2))


if __name__ == "__main__":
    main()
