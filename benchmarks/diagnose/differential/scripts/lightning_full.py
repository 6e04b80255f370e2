"""Lightning with torchmetrics, callbacks, a CSV logger, version folders, a scheduler and a test run."""

import lightning as L
import torch
import torchmetrics
from lightning.pytorch.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Data(L.LightningDataModule):
    def setup(self, stage):
        generator = torch.Generator().manual_seed(0)
        x = torch.randn(160, 6, generator=generator)
        y = (x[:, 0] > 0).long()
        self.train, self.val = TensorDataset(x[:128], y[:128]), TensorDataset(x[128:], y[128:])

    def train_dataloader(self):
        return DataLoader(self.train, 16, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val, 16)

    test_dataloader = val_dataloader


class Classifier(L.LightningModule):
    def __init__(self, width=16, lr=0.02):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(6, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 2))
        self.accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=2)

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.cross_entropy(self(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, index):
        x, y = batch
        output = self(x)
        self.accuracy(output, y)
        self.log("val_loss", nn.functional.cross_entropy(output, y), on_epoch=True)
        self.log("val_acc", self.accuracy, on_epoch=True)

    test_step = validation_step

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "monitor": "val_loss"}}


L.seed_everything(7)
model = Classifier()
trainer = L.Trainer(
    max_epochs=3,
    accelerator="cpu",
    logger=CSVLogger("runs", name="demo"),
    callbacks=[
        ModelCheckpoint(monitor="val_acc", mode="max", save_last=True, filename="{epoch}"),
        EarlyStopping("val_loss", patience=5),
        LearningRateMonitor("epoch"),
    ],
    gradient_clip_val=1.0,
    log_every_n_steps=4,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(model, datamodule=Data())
print(sorted((name, value.item()) for name, value in trainer.callback_metrics.items()))
print(trainer.test(model, datamodule=Data(), verbose=False))
print(Classifier.load_from_checkpoint(trainer.checkpoint_callback.last_model_path).hparams)
