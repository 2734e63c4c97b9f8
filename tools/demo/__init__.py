"""The demonstration: runs a training step, shows what the compiler did."""
