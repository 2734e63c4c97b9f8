"""The project's own rules, one module each.

A lint is a module with a docstring that states the rule, and a function
`check(tree) -> list of Finding`. tools/lint/runner.py lists them; each has a
self-test in tests/lint/. Standard library only.
"""
