"""Two networks that are trained in turn (voice converter and critic of pitch), in manual optimisation."""

import argparse
import logging
import warnings

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def frames(count, seed):
    """Source frames, target frames and the pitch of each."""
    law = torch.Generator().manual_seed(99)
    mixing = torch.randn(20, 20, generator=law) / 20**0.5
    pitch_direction = torch.randn(20, generator=law) / 20**0.5
    generator = torch.Generator().manual_seed(seed)
    source = torch.randn(count, 20, generator=generator)
    target = torch.tanh(source @ mixing * 1.5) + 0.5 * source
    pitch = target @ pitch_direction + 0.05 * torch.randn(count, generator=generator)
    return TensorDataset(source, target, pitch)


def warmup(steps):
    return lambda step: min(1.0, (step + 1) / steps)


class VoiceConversion(L.LightningModule):
    def __init__(self, hidden=64, rate=2e-3, warmup_steps=200, pitch_weight=0.2):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.converter = nn.Sequential(
            nn.Linear(20, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 20)
        )
        self.pitch = nn.Sequential(nn.Linear(20, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def configure_optimizers(self):
        converter = torch.optim.Adam(self.converter.parameters(), lr=self.hparams.rate)
        pitch = torch.optim.Adam(self.pitch.parameters(), lr=self.hparams.rate)
        schedules = [
            torch.optim.lr_scheduler.LambdaLR(optimizer, warmup(self.hparams.warmup_steps)) for optimizer in (converter, pitch)
        ]
        return [converter, pitch], schedules

    def training_step(self, batch, _):
        source, target, pitch = batch
        converter_optimizer, pitch_optimizer = self.optimizers()

        pitch_loss = F.mse_loss(self.pitch(target).squeeze(1), pitch)
        pitch_optimizer.zero_grad()
        self.manual_backward(pitch_loss)
        pitch_optimizer.step()

        converted = self.converter(source)
        loss = F.l1_loss(converted, target) + self.hparams.pitch_weight * F.mse_loss(self.pitch(converted).squeeze(1), pitch)
        converter_optimizer.zero_grad()
        self.manual_backward(loss)
        converter_optimizer.step()
        for schedule in self.lr_schedulers():
            schedule.step()
        self.log("train_loss", loss.detach(), on_step=False, on_epoch=True)

    def validation_step(self, batch, _):
        source, target, _pitch = batch
        self.log("val_error", F.l1_loss(self.converter(source), target))


class Printer(L.Callback):
    def __init__(self, every):
        self.every = every

    def on_train_epoch_end(self, trainer, module):
        if trainer.current_epoch % self.every == 0:
            metrics = trainer.callback_metrics
            print(f"epoch {trainer.current_epoch}: train {metrics['train_loss']:.4f}, val error {metrics['val_error']:.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--warmup-steps", type=int, default=200)
    args = parser.parse_args()
    L.seed_everything(args.seed)
    train_loader = DataLoader(frames(1600, 1), args.batch_size, shuffle=True)
    valid_loader = DataLoader(frames(400, 2), 200)
    trainer = L.Trainer(
        max_epochs=args.epochs,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        callbacks=[Printer(3)],
    )
    trainer.fit(VoiceConversion(warmup_steps=args.warmup_steps), train_loader, valid_loader)
    print(f"final val error {trainer.callback_metrics['val_error']:.4f}")


if __name__ == "__main__":
    main()
