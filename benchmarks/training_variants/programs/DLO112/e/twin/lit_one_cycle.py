import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Faces(L.LightningDataModule):
    def __init__(self, batch_size=32):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage):
        self.data = TensorDataset(torch.rand(256, 1, 24, 24), torch.randint(0, 7, (256,)))

    def train_dataloader(self):
        return DataLoader(self.data, batch_size=self.batch_size, shuffle=True, num_workers=2)


class Emotion(L.LightningModule):
    def __init__(self, max_lr=0.01):
        super().__init__()
        self.max_lr = max_lr
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Linear(144, 7)
        )
        self.criterion = nn.CrossEntropyLoss()

    def training_step(self, batch, _):
        x, y = batch
        loss = self.criterion(self.net(x), y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=self.max_lr / 25, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=self.max_lr, total_steps=self.trainer.estimated_stepping_batches
        )
        return [optimizer], [{"scheduler": scheduler, "interval": "step"}]


if __name__ == "__main__":
    L.seed_everything(0)
    L.Trainer(max_epochs=5, accelerator="auto", devices=1).fit(Emotion(), datamodule=Faces())
