"""Writes cnn.tflite from a PyTorch network of three layers: torch 2.13.0, litert-torch 0.10.0."""

import litert_torch
import torch

torch.manual_seed(1)
net = torch.nn.Sequential(
    torch.nn.Conv2d(1, 4, 3, stride=2, padding=1),
    torch.nn.ReLU(),
    torch.nn.MaxPool2d(2),
    torch.nn.Conv2d(4, 8, 3, padding=1),
    torch.nn.ReLU(),
    torch.nn.AdaptiveAvgPool2d(1),
    torch.nn.Flatten(),
    torch.nn.Linear(8, 3),
    torch.nn.Softmax(dim=1),
).eval()
litert_torch.convert(net, (torch.randn(1, 1, 16, 16),)).export("models/pytorch/cnn.tflite")
