import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Mixer(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.token = nn.Sequential(nn.Linear(tokens, tokens), nn.GELU())
        self.channel = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.token(x.transpose(1, 2)).transpose(1, 2)
        return x + self.channel(x)


class LitMixer(L.LightningModule):
    def __init__(self, tokens=6, dim=16, depth=3, lr=3e-3, weight_decay=0.05):
        super().__init__()
        self.save_hyperparameters()
        self.blocks = nn.Sequential(*[Mixer(tokens, dim) for _ in range(depth)])
        self.head = nn.Linear(dim, 2)

    def training_step(self, batch, _):
        x, y = batch
        return nn.functional.cross_entropy(self.head(self.blocks(x).mean(1)), y)

    def configure_optimizers(self):
        return torch.optim.Adam(
            self.parameters(), lr=self.hparams.lr, weight_decay=self.hparams.weight_decay
        )


if __name__ == "__main__":
    L.seed_everything(1)
    x = torch.randn(128, 6, 16)
    loader = DataLoader(TensorDataset(x, (x.mean((1, 2)) > 0).long()), batch_size=32, shuffle=True)
    model = LitMixer()
    L.Trainer(
        max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False,
    ).fit(model, loader)
    print(f"norm of the weights {sum(p.detach().pow(2).sum() for p in model.parameters()).sqrt():.4f}")
