"""Faults: the program is killed, or its disk fails, at every single call that changes a file.

disk.py     the calls of a process that change files, counted, and the fault at one of them
child.py    a process that runs the program as its user would, behind such a disk
scenes.py   what is played: fights, torn logs, long logs, edits of the roster, new campaigns
points.py   every call times every fault, and what must be true after it
`python -m tests.faults` tries them all; `test_faults.py` tries as many as the checks have time for.
"""
