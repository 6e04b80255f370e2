"""Segment roads in synthetic aerial pictures; the run is described by a YAML text."""

import logging
import sys
import warnings

import lightning as L
import torch
import torch.nn.functional as F
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

SETTINGS = """
data:
  train_size: 400
  valid_size: 100
  batch_size: 20
model:
  width: 12
  dropout: 0.05
optimizer:
  lr: 0.003
  weight_decay: 0.0001
trainer:
  max_epochs: 8
  accelerator: cpu
  limit_train_batches: 1.0
  limit_val_batches: 1.0
  gradient_clip_val: 5.0
  check_val_every_n_epoch: 1
  logger: false
  enable_checkpointing: false
  enable_progress_bar: false
  enable_model_summary: false
"""


def aerial(count, seed, size=24):
    generator = torch.Generator().manual_seed(seed)
    ys, xs = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    angle = 3.14 * torch.rand(count, 1, 1, generator=generator)
    offset = 8 * torch.rand(count, 1, 1, generator=generator) - 4
    distance = (ys - size / 2) * torch.cos(angle) + (xs - size / 2) * torch.sin(angle) - offset
    road = (distance.abs() < 2.0).float()
    ground = torch.rand(count, 3, 1, 1, generator=generator)
    image = ground + 0.35 * torch.randn(count, 3, size, size, generator=generator)
    image = image * (1 - road.unsqueeze(1)) + road.unsqueeze(1) * (
        0.5 + 0.15 * torch.randn(count, 1, size, size, generator=generator)
    )
    return TensorDataset(image, road)


class AerialData(L.LightningDataModule):
    def __init__(self, train_size, valid_size, batch_size):
        super().__init__()
        self.train_size, self.valid_size, self.batch_size = train_size, valid_size, batch_size

    def setup(self, stage):
        self.train_set = aerial(self.train_size, 1)
        self.valid_set = aerial(self.valid_size, 2)

    def train_dataloader(self):
        return DataLoader(self.train_set, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.valid_set, 50)


class RoadNet(L.LightningModule):
    def __init__(self, model, optimizer):
        super().__init__()
        self.save_hyperparameters()
        width = model["width"]
        self.encoder = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=2, dilation=2),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Dropout2d(model["dropout"]),
            nn.Conv2d(width, width, 3, padding=4, dilation=4),
            nn.ReLU(),
        )
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, image):
        return self.head(self.encoder(image)).squeeze(1)

    def training_step(self, batch, _):
        image, road = batch
        return F.binary_cross_entropy_with_logits(self(image), road)

    def validation_step(self, batch, _):
        image, road = batch
        predicted = (self(image) > 0).float()
        overlap = (predicted * road).sum()
        self.log("iou", overlap / (predicted.sum() + road.sum() - overlap), on_epoch=True)

    def on_validation_epoch_end(self):
        if not self.trainer.sanity_checking:
            print(f"epoch {self.current_epoch}: iou {self.trainer.callback_metrics['iou']:.3f}")

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), **self.hparams.optimizer)
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=6, gamma=0.3)
        return {"optimizer": optimizer, "lr_scheduler": schedule}


def main():
    settings = yaml.safe_load(SETTINGS)
    L.seed_everything(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    data = AerialData(**settings["data"])
    model = RoadNet(settings["model"], settings["optimizer"])
    trainer = L.Trainer(**settings["trainer"])
    trainer.fit(model, datamodule=data)
    print(f"final iou {trainer.callback_metrics['iou']:.3f}")


if __name__ == "__main__":
    main()
