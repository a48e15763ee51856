import io
import unittest

from heron.approval import Gate, Request, Tier, render_request


class Terminal(io.StringIO):
    def isatty(self):
        return True


def ask(tier, answer, target="run"):
    gate = Gate(stdin=Terminal(answer + "\n"), stdout=io.StringIO())
    return gate.ask(Request("run_command", tier, "rm -r /srv/cache", target))


class GateTest(unittest.TestCase):
    def test_reading_needs_nobody(self):
        self.assertTrue(ask(Tier.READ, "").approved)

    def test_silence_is_a_no(self):
        self.assertFalse(ask(Tier.WRITE, "").approved)

    def test_a_dangerous_call_wants_its_word(self):
        self.assertFalse(ask(Tier.DANGER, "y", "rm").approved)
        self.assertTrue(ask(Tier.DANGER, "rm", "rm").approved)

    def test_the_screen_is_one_line(self):
        shown = render_request(Request("run_command", Tier.DANGER, "rm -r /srv/cache", "rm", "clear the cache"))
        self.assertEqual(shown, "heron: clear the cache (danger)")

    def test_without_a_terminal_nothing_is_approved(self):
        gate = Gate(stdin=io.StringIO("y\n"), stdout=io.StringIO())
        self.assertFalse(gate.ask(Request("write_file", Tier.WRITE, "x", "yes")).approved)


if __name__ == "__main__":
    unittest.main()
