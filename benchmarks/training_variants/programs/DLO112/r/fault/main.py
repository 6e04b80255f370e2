import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset

from module import Regressor


def main():
    L.seed_everything(0)
    x = torch.randn(256, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=32, shuffle=True)
    model = Regressor(steps_per_epoch=len(loader), epochs=3)
    trainer = L.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False)
    trainer.fit(model, loader)


if __name__ == "__main__":
    main()
