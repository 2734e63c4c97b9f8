"""Runs the lints over the repository."""
import importlib

from lint.tree import Tree

LINTS = ("layers", "sizes", "headers", "passes", "patterns", "aborts",
         "duplicates", "formatting", "messages", "vacuous")


def run(root, names, chosen=LINTS):
    """{lint: findings} over the named files of a repository."""
    tree = Tree(root, names)
    return {lint: sorted(importlib.import_module(f"lint.{lint}").check(tree))
            for lint in chosen}
