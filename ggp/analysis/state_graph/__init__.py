"""The state graph of pieces that walk by themselves: arcs, graph, walks, and why there is none."""
