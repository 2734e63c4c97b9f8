"""On a terminal, a command that takes its time says what it does."""
import os
import pathlib
import pty
import select
import subprocess
import time
import unittest

BUILD = pathlib.Path(os.environ.get("PARTITA_BUILD", "build/release"))
PROGRAM = b"""func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
"""


def read_until(terminal, text, seconds):
    got = b""
    end = time.monotonic() + seconds
    while text not in got and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                got += os.read(terminal, 4096)
            except OSError:  # the other side is closed
                break
    return got


class Progress(unittest.TestCase):
    def start(self, stderr):
        return subprocess.Popen([BUILD / "bin" / "partita", "run", "-"],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=stderr)

    def test_a_terminal_shows_what_is_done_and_is_left_clean(self):
        terminal, end = pty.openpty()
        command = self.start(end)
        os.close(end)
        # It waits for its input, for as long as it takes to be shown.
        self.assertIn(b"s: reading -\r", read_until(terminal, b"reading -\r", 60))
        out, _ = command.communicate(PROGRAM)
        self.assertEqual(command.returncode, 0)
        self.assertIn(b"step    1", out)
        last = read_until(terminal, b"all that comes", 60)
        self.assertTrue(last.endswith(b"\x1b[K"), last)
        os.close(terminal)

    def test_what_is_no_terminal_gets_nothing(self):
        command = self.start(subprocess.PIPE)
        time.sleep(2.6)
        out, errors = command.communicate(PROGRAM)
        self.assertEqual(command.returncode, 0)
        self.assertIn(b"step    1", out)
        self.assertEqual(errors, b"")


if __name__ == "__main__":
    unittest.main()
