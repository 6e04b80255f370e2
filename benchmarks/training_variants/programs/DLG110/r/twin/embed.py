"""Embed all rows of a data set."""
import torch


@torch.no_grad()
def embed_all(net, batches):
    net.eval()
    return torch.cat([net(batch) for batch in batches], dim=0)
