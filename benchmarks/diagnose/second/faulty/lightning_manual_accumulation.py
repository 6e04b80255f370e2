"""Complete missing letters of codes; batches of one, gradients accumulated by hand."""

import argparse
import logging
import warnings

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
ALPHABET = 12


class Codes(Dataset):
    """Codes of any length; the last letter is a check letter: the one before moved on by the first."""

    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.codes = []
        for _ in range(count):
            length = int(torch.randint(4, 8, (1,), generator=generator))
            code = torch.randint(ALPHABET, (length,), generator=generator)
            check = (code[0] // 6 * 6 + code[-1] % 6) % ALPHABET
            self.codes.append((code, check))

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, index):
        return self.codes[index]


class CodeModel(L.LightningModule):
    def __init__(self, width=24, rate=0.1, accumulate=32):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.embedding = nn.Embedding(ALPHABET, width)
        self.mix = nn.Sequential(nn.Linear(2 * width, 48), nn.ReLU(), nn.Linear(48, ALPHABET))

    def forward(self, code):
        letters = self.embedding(code)
        return self.mix(torch.cat([letters[:, 0], letters[:, -1]], dim=1))

    def training_step(self, batch, batch_index):
        code, check = batch
        optimizer = self.optimizers()
        loss = F.cross_entropy(self(code), check)
        self.manual_backward(loss)
        if (batch_index + 1) % self.hparams.accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
        self.log("train_loss", loss.detach(), on_step=False, on_epoch=True, batch_size=1)

    def validation_step(self, batch, _):
        code, check = batch
        self.log("val_acc", (self(code).argmax(1) == check).float().mean(), batch_size=1)

    def on_train_epoch_end(self):
        metrics = self.trainer.callback_metrics
        print(f"epoch {self.current_epoch}: train loss {metrics['train_loss']:.4f}, accuracy {metrics['val_acc']:.3f}")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.rate, momentum=0.9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--accumulate", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.2)
    args = parser.parse_args()
    L.seed_everything(args.seed)
    trainer = L.Trainer(
        max_epochs=args.epochs,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    model = CodeModel(rate=args.rate, accumulate=args.accumulate)
    trainer.fit(model, DataLoader(Codes(1600, 1), shuffle=True), DataLoader(Codes(300, 2)))
    print(f"final accuracy {trainer.callback_metrics['val_acc']:.3f}")


if __name__ == "__main__":
    main()
