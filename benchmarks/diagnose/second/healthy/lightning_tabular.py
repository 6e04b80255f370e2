"""A table classifier in Lightning with a plateau schedule on the validation loss."""

import logging
import sys
import warnings

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class TableModel(L.LightningModule):
    def __init__(self, rate=5e-3):
        super().__init__()
        self.save_hyperparameters()
        self.layers = nn.Sequential(nn.Linear(12, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, 3))

    def training_step(self, batch, _):
        x, y = batch
        return F.cross_entropy(self.layers(x), y)

    def validation_step(self, batch, _):
        x, y = batch
        logits = self.layers(x)
        self.log_dict({"val_loss": F.cross_entropy(logits, y), "val_acc": (logits.argmax(1) == y).float().mean()})

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.rate)
        schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2, factor=0.5)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "monitor": "val_loss"}}


def main(seed):
    L.seed_everything(seed)
    x = torch.randn(1500, 12)
    table = TensorDataset(x, (torch.tanh(x @ torch.randn(12, 6)) @ torch.randn(6, 3)).argmax(1))
    train_set, valid_set = random_split(table, [1200, 300], torch.Generator().manual_seed(seed))
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False}
    trainer = L.Trainer(max_epochs=8, accelerator="cpu", **quiet)
    trainer.fit(TableModel(), DataLoader(train_set, 40, shuffle=True), DataLoader(valid_set, 300))
    print(f"accuracy {trainer.callback_metrics['val_acc']:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
