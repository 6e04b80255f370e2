"""Lightning with two optimizers by hand, and Fabric for a loop of its own."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Pair(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.maker, self.judge = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))

    def training_step(self, batch, index):
        (real,) = batch
        first, second = self.optimizers()
        fake = self.maker(torch.randn_like(real))
        loss = nn.functional.softplus(-self.judge(real)).mean() + nn.functional.softplus(self.judge(fake.detach())).mean()
        second.zero_grad()
        self.manual_backward(loss)
        second.step()
        self.toggle_optimizer(first)
        loss = nn.functional.softplus(-self.judge(fake)).mean()
        first.zero_grad()
        self.manual_backward(loss)
        first.step()
        self.untoggle_optimizer(first)

    def configure_optimizers(self):
        return [torch.optim.Adam(part.parameters(), 0.01) for part in (self.maker, self.judge)]


L.seed_everything(1)
loader = DataLoader(TensorDataset(torch.randn(128, 2) + 2), 16, shuffle=True)
model = Pair()
options = {"enable_progress_bar": False, "enable_model_summary": False, "logger": False, "enable_checkpointing": False}
trainer = L.Trainer(max_epochs=4, accelerator="cpu", **options)
trainer.fit(model, loader)
print(trainer.global_step, model.maker.bias.tolist())
fabric = L.Fabric(accelerator="cpu", devices=1, precision="bf16-mixed")
fabric.launch()
net = nn.Linear(2, 1)
net, optimizer = fabric.setup(net, torch.optim.SGD(net.parameters(), lr=0.05))
for (x,) in fabric.setup_dataloaders(loader):
    loss = net(x).float().square().mean()
    optimizer.zero_grad()
    fabric.backward(loss)
    fabric.clip_gradients(net, optimizer, max_norm=1.0)
    optimizer.step()
print(loss.item())
fabric.save("fabric.ckpt", {"net": net})
