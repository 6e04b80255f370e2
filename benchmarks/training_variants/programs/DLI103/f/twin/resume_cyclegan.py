import argparse
import os

import torch
import torch.nn as nn


def weights_init_normal(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        torch.nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("InstanceNorm2d") != -1 and m.affine:
        torch.nn.init.normal_(m.weight.data, 1.0, 0.02)
        torch.nn.init.constant_(m.bias.data, 0.0)


def generator(ch=8):
    return nn.Sequential(
        nn.ReflectionPad2d(1), nn.Conv2d(3, ch, 3), nn.InstanceNorm2d(ch, affine=True), nn.ReLU(inplace=True),
        nn.ReflectionPad2d(1), nn.Conv2d(ch, 3, 3), nn.Tanh(),
    )


def cycle_step(G_AB, G_BA, opt, a, b):
    opt.zero_grad()
    loss = nn.functional.l1_loss(G_BA(G_AB(a)), a) + nn.functional.l1_loss(G_AB(G_BA(b)), b)
    loss.backward()
    opt.step()
    return loss.item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epoch", type=int, default=1, help="epoch to start training from")
    parser.add_argument("--n_epochs", type=int, default=3)
    opt = parser.parse_args()
    torch.manual_seed(0)
    os.makedirs("saved_models", exist_ok=True)
    for name in ("AB", "BA"):
        if not os.path.exists("saved_models/G_%s_1.pth" % name):
            torch.save(generator().state_dict(), "saved_models/G_%s_1.pth" % name)

    G_AB, G_BA = generator(), generator()
    if opt.epoch != 0:
        # Load pretrained models
        G_AB.load_state_dict(torch.load("saved_models/G_AB_%d.pth" % opt.epoch, weights_only=True))
        G_BA.load_state_dict(torch.load("saved_models/G_BA_%d.pth" % opt.epoch, weights_only=True))
    else:
        G_AB.apply(weights_init_normal)
        G_BA.apply(weights_init_normal)

    optimizer = torch.optim.Adam(list(G_AB.parameters()) + list(G_BA.parameters()), lr=2e-4, betas=(0.5, 0.999))
    a, b = torch.rand(4, 3, 16, 16) * 2 - 1, torch.rand(4, 3, 16, 16)
    for epoch in range(opt.epoch, opt.n_epochs):
        print("[Epoch %d] cycle %.5f" % (epoch, cycle_step(G_AB, G_BA, optimizer, a, b)))
