"""What the benchmarks are measured against."""
