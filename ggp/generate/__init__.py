"""Making levels: puzzles with a known answer and a measured difficulty; random boards for roll-outs."""
