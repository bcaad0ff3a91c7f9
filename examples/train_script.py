"""A script that does its work when it is imported: `module_test()` makes the import a test."""

import numpy as np

from annotest import module_test

module_test()

random = np.random.default_rng(0)
features = random.normal(size=(64, 3))
labels = features @ [2.0, -1.0, 0.5]
weights = np.zeros((3, 1))

for _ in range(20):
    # Planted bug: (64, 1) minus (64,) broadcasts to (64, 64). Right: labels[:, None]
    error = features @ weights - labels
    # where it shows: the gradient has 64 columns, the weights have one
    weights -= 0.1 / len(features) * features.T @ error
