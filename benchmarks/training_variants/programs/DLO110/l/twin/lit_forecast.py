import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LitForecaster(L.LightningModule):
    def __init__(self, hidden=16, lr=1e-2):
        super().__init__()
        self.save_hyperparameters()
        self.rnn = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.step_losses = []

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1]).squeeze(-1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self(x), y)
        self.step_losses.append(loss.detach())
        return loss

    def on_train_epoch_end(self):
        epoch_loss = torch.stack(self.step_losses).mean()
        print(f"epoch {self.current_epoch} loss {float(epoch_loss):.4f} graph {epoch_loss.requires_grad}")
        self.step_losses.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


def main():
    L.seed_everything(3)
    series = torch.sin(torch.linspace(0, 40, 220))
    windows = series.unfold(0, 13, 1)
    loader = DataLoader(TensorDataset(windows[:, :12].unsqueeze(-1), windows[:, 12]), batch_size=32, shuffle=True)
    trainer = L.Trainer(
        max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(LitForecaster(), loader)


if __name__ == "__main__":
    main()
