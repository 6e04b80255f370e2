import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(pl.LightningModule):
    def __init__(self, width=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 64), nn.SiLU(), nn.Linear(64, 1))
        self.loss = nn.HuberLoss()

    def forward(self, x):
        return self.net(x).squeeze(-1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = self.loss(self(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_loss", self.loss(self(x), y))

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=2e-3, weight_decay=0.02)


def loader(n, shuffle):
    x = torch.rand(n, 8)
    return DataLoader(TensorDataset(x, x.sin().sum(dim=1)), batch_size=32, shuffle=shuffle, num_workers=2)


if __name__ == "__main__":
    pl.seed_everything(11, workers=True)
    pl.Trainer(max_epochs=5).fit(Regressor(), loader(512, True), loader(128, False))
