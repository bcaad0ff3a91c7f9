"""The same kind of script without a bug: importing it ends normally, so its test passes."""

import numpy as np

from annotest import module_test

module_test()

random = np.random.default_rng(0)
features = random.normal(size=(64, 3))
labels = features @ [2.0, -1.0, 0.5] > 0
scores = features @ [1.9, -1.1, 0.4]
accuracy = np.mean((scores > 0) == labels)
print(f"accuracy: {accuracy:.0%}")
