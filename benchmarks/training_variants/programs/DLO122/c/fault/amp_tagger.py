import argparse
import os

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED", 0)))
opt = parser.parse_args()

torch.manual_seed(opt.seed)
device = "cuda" if torch.cuda.is_available() else "cpu"

model = nn.Sequential(nn.Embedding(64, 32), nn.Flatten(), nn.Linear(32 * 8, 64), nn.GELU(), nn.Linear(64, 10)).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
scaler = torch.amp.GradScaler(device)

for step in range(opt.steps):
    tokens = torch.randint(0, 64, (32, 8), device=device)
    target = tokens[:, 0] % 10

    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=device, dtype=torch.float16 if device == "cuda" else torch.bfloat16):
        loss = criterion(model(tokens), target)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    print(step, f"{loss.item():.4f}")
