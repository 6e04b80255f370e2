import torch


def save_weights(network, path):
    torch.save(network.state_dict(), path)


def load_weights(network, path):
    network.load_state_dict(torch.load(path, map_location="cpu"))
    return network
