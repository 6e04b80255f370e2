import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LitAutoencoder(pl.LightningModule):
    def __init__(self, width=16, code=3, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.encoder = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, code))
        self.decoder = nn.Sequential(nn.Linear(code, 32), nn.ReLU(), nn.Linear(32, width))

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def training_step(self, batch, batch_idx):
        (x,) = batch
        optimizer = self.optimizers()
        loss = nn.functional.mse_loss(self(x), x)
        optimizer.zero_grad()
        self.manual_backward(loss)
        optimizer.step()
        self.log("train_loss", loss, prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


def main():
    pl.seed_everything(0)
    data = torch.randn(512, 3) @ torch.randn(3, 16)
    loader = DataLoader(TensorDataset(data), batch_size=32, shuffle=True, num_workers=2)
    trainer = pl.Trainer(max_epochs=5, accelerator="auto", devices=1)
    trainer.fit(LitAutoencoder(), loader)


if __name__ == "__main__":
    main()
