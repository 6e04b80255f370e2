"""Weights from a server."""
import os
import urllib.request

import torch


def fetch(url, folder="weights"):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, os.path.basename(url))
    if not os.path.exists(path):
        urllib.request.urlretrieve(url, path)
    return path


def load_pretrained(network, url):
    state = torch.load(fetch(url), map_location="cpu", weights_only=True)
    network.load_state_dict(state)
    return network
