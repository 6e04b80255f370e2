"""The style of timm's training script: its optimizer, scheduler, EMA, mixup and saver."""

import torch
from timm import create_model
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import AverageMeter, CheckpointSaver, ModelEmaV2, accuracy

torch.manual_seed(0)
import numpy as np

np.random.seed(0)
images, labels = torch.randn(32, 3, 32, 32), torch.randint(0, 4, (32,))
model = create_model("resnet10t", num_classes=4)
optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
scheduler = CosineLRScheduler(optimizer, t_initial=3, warmup_t=1, warmup_lr_init=1e-5)
ema = ModelEmaV2(model, decay=0.9)
mixup = Mixup(mixup_alpha=0.4, cutmix_alpha=1.0, num_classes=4)
criterion = SoftTargetCrossEntropy()
saver = CheckpointSaver(model, optimizer, model_ema=ema, checkpoint_dir=".", recovery_dir=".", max_history=2)
for epoch in range(3):
    meter = AverageMeter()
    model.train()
    for i in range(0, 32, 8):
        x, y = mixup(images[i : i + 8].clone(), labels[i : i + 8])
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        meter.update(loss.item(), 8)
    scheduler.step(epoch + 1)
    model.eval()
    with torch.no_grad():
        top1, _ = accuracy(model(images), labels, topk=(1, 2))
    print(epoch, meter.avg, top1.item())
    saver.save_checkpoint(epoch, metric=top1.item())
model_ema = ema.module
