import copy

import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler

torch.manual_seed(12)
x = torch.randn(120, 3, 12, 12)
y = (x.mean((1, 2, 3)) > 0).long()
dataloaders = {
    'train': torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x[:96], y[:96]), batch_size=12, shuffle=True),
    'val': torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x[96:], y[96:]), batch_size=12),
}
dataset_sizes = {'train': 96, 'val': 24}


def train_model(model, criterion, optimizer, scheduler, num_epochs=25):
    best_model_wts = copy.deepcopy(model.state_dict())
    best_acc = 0.0

    for epoch in range(num_epochs):
        for phase in ['train', 'val']:
            if phase == 'train':
                model.train()
            else:
                model.eval()

            running_loss, running_corrects = 0.0, 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == 'train'):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == 'train':
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += (outputs.argmax(1) == labels).sum().item()
            if phase == 'train':
                scheduler.step()

            epoch_acc = running_corrects / dataset_sizes[phase]
            print('{} Loss: {:.4f} Acc: {:.4f}'.format(phase, running_loss / dataset_sizes[phase], epoch_acc))
            if phase == 'val' and epoch_acc > best_acc:
                best_acc = epoch_acc
                best_model_wts = copy.deepcopy(model.state_dict())

    model.load_state_dict(best_model_wts)
    return model


net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2), nn.Linear(800, 2))
optimizer_ft = optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
exp_lr_scheduler = lr_scheduler.StepLR(optimizer_ft, step_size=2, gamma=0.1)
train_model(net, nn.CrossEntropyLoss(), optimizer_ft, exp_lr_scheduler, num_epochs=4)
