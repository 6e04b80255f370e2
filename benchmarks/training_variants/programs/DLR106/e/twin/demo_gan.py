import argparse
import os

import torch
from torch import nn


def build_generator(z_dim=8):
    return nn.Sequential(nn.Linear(z_dim, 32), nn.ReLU(), nn.Linear(32, 64), nn.Tanh())


def parse():
    p = argparse.ArgumentParser("Generate samples from a downloaded checkpoint")
    p.add_argument("--ckpt", default="generator.ckpt")
    p.add_argument("--num", type=int, default=3)
    return p.parse_args()


@torch.inference_mode()
def generate(g, num, z_dim=8):
    g.eval()
    return g(torch.randn(num, z_dim)).view(num, 8, 8)


def main():
    args = parse()
    torch.manual_seed(0)
    G = build_generator()
    if not os.path.exists(args.ckpt):
        torch.save({"g_ema": build_generator().state_dict(), "iter": 1000}, args.ckpt)
    ckpt = torch.load(args.ckpt, map_location="cpu", weights_only=True)
    G.load_state_dict(ckpt["g_ema"])
    for i, img in enumerate(generate(G, args.num)):
        print(i, "%.4f %.4f" % (img.min().item(), img.max().item()), ckpt["iter"])


if __name__ == "__main__":
    main()
