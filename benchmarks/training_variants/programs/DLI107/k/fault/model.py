from torch import nn


def make_network(features, hidden):
    layers = []
    for units in hidden:
        layers += [nn.Linear(features, units), nn.ReLU()]
        features = units
    layers.append(nn.Linear(features, 1))
    return nn.Sequential(*layers)
