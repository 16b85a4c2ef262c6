"""Benchmarks: every figure beside its near-limit, measured in one run; `make bench` runs them."""
