"""The command line of ./dev: each module adds its own commands."""
import argparse
import sys

from dev import bench, building, demo, docs, linting, packages, stamps, testing
from dev.base import Failure, say


def main(arguments, description):
    parser = argparse.ArgumentParser(
        prog="./dev", description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in (demo, testing, building, linting, docs, bench, stamps):
        module.add_parser(commands)
    p = commands.add_parser("install", help="install what is missing")
    p.set_defaults(call=lambda o: packages.install_packages())
    options = parser.parse_args(arguments)
    try:
        return options.call(options) or 0
    except Failure as failure:
        say(failure)
        return 1
    except KeyboardInterrupt:
        return 130
