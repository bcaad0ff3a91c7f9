"""A guard against accidents: code under test may not write, connect or start programs at large.

It is no sandbox. Python's audit hooks see what Python code does, Landlock (where the kernel has
it) stops native code from writing; code that means to get round the guard can. What the guard is
for is the function that, called with a thousand generated inputs, deletes a folder or overwrites a
model by mistake.

`install` it in the process that imports and calls the code under test, before that code is
imported and before there are threads: Landlock binds the calling thread and what it starts later.
Forked children keep the guard; it cannot be taken back.
"""

from __future__ import annotations

from annotest.guard.data import Allowed, Blocked, BlockedByGuard
from annotest.guard.hook import install
from annotest.guard.landlock import Kernel
from annotest.guard.log import Log
from annotest.guard.mirror import Mirror
from annotest.guard.places import cache_folders
from annotest.guard.programs import kernel_programs
