"""The formats that levels are written in, a file or folder each; `null.py` is the template."""
