"""Runs one file of Python tests: unittests.py FILE --summary COUNTS.json"""
import json
import pathlib
import sys
import unittest


def main(file, _, summary):
    path = pathlib.Path(file).resolve()
    tests = unittest.TestLoader().discover(str(path.parent), path.name)
    result = unittest.TextTestRunner(verbosity=1).run(tests)
    failed = (len(result.failures) + len(result.errors)
              + len(result.unexpectedSuccesses))
    skipped = len(result.skipped)
    counts = {"passed": result.testsRun - failed - skipped, "failed": failed,
              "skipped": skipped}
    pathlib.Path(summary).write_text(json.dumps(counts))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
