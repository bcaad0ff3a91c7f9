"""monai: losses, networks, transforms, inference, metrics; shapes are those of the documentation.

A comment `# twin:` is the line above it with a mistake, as it stands in the copy that must be found.
"""

import monai
from monai.inferers import sliding_window_inference
from monai.metrics import compute_dice


class DiceLoss(monai.losses.DiceLoss):
    def forward(self, input, target):
        out = super().forward(input, target)
        # twin: out = super().forward(input, target.squeeze(1))
        assert self.reduction == "none" or out.shape == ()
        return out


class UNet(monai.networks.nets.UNet):
    def forward(self, x):
        out = super().forward(x)
        # twin: out = super().forward(x[..., 1:])
        assert out.shape == (len(x), self.out_channels, *x.shape[2:])
        return out


class SpatialPad(monai.transforms.SpatialPad):
    def __call__(self, img):
        out = super().__call__(img)
        # twin: out = super().__call__(img.mT)
        sides = [max(both) for both in zip(self.spatial_size, img.shape[1:])]
        assert out.shape == (len(img), *sides)
        return out


class CenterSpatialCrop(monai.transforms.CenterSpatialCrop):
    def __call__(self, img):
        out = super().__call__(img)
        # twin: out = super().__call__(img[:, 1:])
        sides = [min(both) for both in zip(self.roi_size, img.shape[1:])]
        assert out.shape == (len(img), *sides)
        return out


class Resize(monai.transforms.Resize):
    def __call__(self, img):
        out = super().__call__(img)
        # twin: out = super().__call__(img[0])
        assert out.shape == (len(img), *self.spatial_size)
        return out


def one_hot(labels, num_classes, dim=1):
    out = monai.networks.one_hot(labels, num_classes, dim=dim)
    # twin: out = monai.networks.one_hot(labels, num_classes + 1, dim=dim)
    assert out.shape == (len(labels), num_classes, *labels.shape[2:])
    return out


def windowed(inputs, roi_size, sw_batch_size, overlap, mode):
    options = sw_batch_size, doubled, overlap, mode
    # twin: options = sw_batch_size, doubled, 1 - overlap, mode
    out = sliding_window_inference(inputs, roi_size, *options)
    assert out.shape == (len(inputs), 2 * inputs.shape[1], *inputs.shape[2:])
    return out


def doubled(window):
    return window.repeat_interleave(2, 1)


def dice(y_pred, y, include_background=True):
    out = compute_dice(y_pred, y, include_background)
    # twin: out = compute_dice(y_pred.argmax(1, keepdim=True), y, include_background)
    # a single channel is no background
    assert out.shape == (len(y), y.shape[1] - (not include_background and y.shape[1] > 1))
    return out
