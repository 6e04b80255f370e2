from torch import nn


def fit(model, loader, optimizer, precision, epochs):
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for images, labels in loader:
            images, labels = images.to(precision.device), labels.to(precision.device)
            optimizer.zero_grad(set_to_none=True)
            with precision.context():
                loss = nn.functional.cross_entropy(model(images), labels)
            precision.backward(loss)
            precision.step(optimizer)
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")
