#!/usr/bin/env python3
"""Predict with a checkpoint that was given on the command line (or downloaded)."""
import argparse
import os
import urllib.request

import torch
from torch import nn


def build(meta):
    return nn.Sequential(nn.Linear(meta["inputs"], meta["hidden"]), nn.ReLU(), nn.Linear(meta["hidden"], meta["outputs"]))


def fetch(source, target="downloaded.pt"):
    if source.startswith("http"):
        urllib.request.urlretrieve(source, target)
        return target
    return source


def load(path):
    blob = torch.load(path, map_location="cpu", weights_only=False)
    net = build(blob["meta"])
    net.load_state_dict(blob["weights"])
    return net.eval()


def demo(path):
    torch.manual_seed(0)
    meta = {"inputs": 4, "hidden": 8, "outputs": 2}
    torch.save({"meta": meta, "weights": build(meta).state_dict()}, path)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("checkpoint", nargs="?", default="demo.pt")
    args = ap.parse_args()
    if args.checkpoint == "demo.pt" and not os.path.exists("demo.pt"):
        demo("demo.pt")
    net = load(fetch(args.checkpoint))
    with torch.no_grad():
        print(net(torch.ones(1, 4)).softmax(-1).numpy().round(4))


if __name__ == "__main__":
    main()
