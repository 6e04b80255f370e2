import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast


class Cfg:
    lr = 1e-4
    clip = 0.1
    epochs = 2
    device = "cuda" if torch.cuda.is_available() else "cpu"


class BoxHead(nn.Module):
    def __init__(self, queries=5, dim=32):
        super().__init__()
        self.query = nn.Parameter(torch.randn(queries, dim))
        self.backbone = nn.Sequential(nn.Conv2d(3, dim, 8, 8), nn.Flatten(2))
        self.attn = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.box = nn.Linear(dim, 4)

    def forward(self, img):
        mem = self.backbone(img).transpose(1, 2)
        q = self.query.expand(img.size(0), -1, -1)
        return self.box(self.attn(q, mem, mem)[0]).sigmoid()


def main(cfg=Cfg):
    torch.manual_seed(0)
    model = BoxHead().to(cfg.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-4)
    scaler = GradScaler(cfg.device, enabled=cfg.device == "cuda")
    imgs, boxes = torch.rand(32, 3, 32, 32), torch.rand(32, 5, 4)
    for epoch in range(cfg.epochs):
        for i in range(0, 32, 8):
            x, y = imgs[i:i + 8].to(cfg.device), boxes[i:i + 8].to(cfg.device)
            optimizer.zero_grad(set_to_none=True)
            with autocast(cfg.device, enabled=cfg.device == "cuda"):
                loss = nn.functional.l1_loss(model(x), y)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            scaler.step(optimizer)
            scaler.update()
        print(epoch, round(loss.item(), 5))


if __name__ == "__main__":
    main()
