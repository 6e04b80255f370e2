"""A LightningModule with a one-cycle schedule."""
import lightning as L
import torch
from torch import nn


class Regressor(L.LightningModule):
    def __init__(self, steps_per_epoch, epochs, lr=1e-2):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer,
            max_lr=self.hparams.lr,
            steps_per_epoch=self.hparams.steps_per_epoch,
            epochs=self.hparams.epochs,
        )
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler}}
