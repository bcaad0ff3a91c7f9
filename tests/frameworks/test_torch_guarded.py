"""A framework at work under the guard."""

import subprocess
import sys

import pytest
from guarded import needs_landlock

pytestmark = pytest.mark.frameworks

TORCH = """
import os, sys
scratch, project = sys.argv[1:]
os.environ["TMPDIR"] = scratch
os.chdir(project)
from annotest import guard
log = guard.install(guard.Allowed((scratch,), root=project))
import torch
from torch.utils.data import DataLoader, Dataset

class Numbers(Dataset):
    def __init__(self, target=None):
        self.target = target
    def __len__(self):
        return 6
    def __getitem__(self, index):
        if self.target:
            open(self.target, "w")
        return torch.full((2,), float(index))

def explained(act):
    try:
        act()
    except Exception as error:
        return str(log.explains(error))
    return "nothing"

model = torch.nn.Linear(3, 2)
model(torch.ones(1, 3)).sum().backward()
torch.save(model.state_dict(), os.path.join(scratch, "model.pt"))
torch.load(os.path.join(scratch, "model.pt"))
assert len(list(DataLoader(Numbers(), batch_size=2, num_workers=2))) == 3
assert log.blocked == (), log.blocked
print(explained(lambda: torch.save(model.state_dict(), "model.pt")))
print(explained(lambda: torch.save(model.state_dict(), project + "/full.pt")))
print(explained(lambda: list(DataLoader(Numbers("worker.txt"), num_workers=1))))
print(os.listdir(project))
"""


@needs_landlock
def test_torch_works_under_the_guard_and_what_it_may_not_write_is_explained(tmp_path):
    scratch, project = tmp_path.resolve() / "scratch", tmp_path.resolve() / "project"
    scratch.mkdir()
    project.mkdir()
    command = [sys.executable, "-c", TORCH, str(scratch), str(project)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        f"write {project}/model.pt",
        f"write {project}/full.pt",
        f"write {project}/worker.txt",
        "[]",
    ], done.stderr
