"""Search over the compiled rules: breadth first, best first, pushes, designs."""
