import torch
import torch.nn as nn


def make_encoder():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU()
    )


class Segmenter(nn.Module):
    def __init__(self, n_classes, pretrained=None):
        super().__init__()
        self.encoder = make_encoder()
        self.decoder = nn.Sequential(nn.ConvTranspose2d(16, 8, 2, stride=2), nn.ReLU())
        self.classifier = nn.Conv2d(8, n_classes, 1)
        self._initialize_weights()
        if pretrained is not None:
            self.encoder.load_state_dict(torch.load(pretrained, weights_only=True))

    def _initialize_weights(self):
        for m in self.modules():
            if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.classifier(self.decoder(self.encoder(x)))
