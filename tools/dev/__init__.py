"""The parts of ./dev, one module a topic. Standard library only."""
