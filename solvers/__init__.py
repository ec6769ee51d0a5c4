"""The solvers, a short file each; `null.py` is the template."""
