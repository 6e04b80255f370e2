import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LitForecaster(pl.LightningModule):
    def __init__(self, history=24, hidden=32, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        self.train_losses = []

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1])

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.mse_loss(self(x), y)
        self.train_losses.append(loss.detach())
        return loss

    def on_train_epoch_end(self):
        self.log("train_loss", torch.stack(self.train_losses).mean(), prog_bar=True)
        self.train_losses.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


def load(n=500, history=24):
    t = torch.arange(n + history) / 8
    series = torch.sin(t) + 0.1 * torch.randn(n + history)
    x = series.unfold(0, history, 1)[:n].unsqueeze(-1)
    return TensorDataset(x, series[history:].unsqueeze(-1))


if __name__ == "__main__":
    pl.seed_everything(1)
    trainer = pl.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False)
    trainer.fit(LitForecaster(), DataLoader(load(), batch_size=32, shuffle=True, num_workers=2))
