import tempfile
import unittest
from pathlib import Path

from heron.tools.files import Workspace
from heron.tools.registry import ToolError


class WorkspaceTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name) / "ws"
        self.root.mkdir()
        self.workspace = Workspace(self.root)

    def test_paths_stay_inside(self):
        for name in ("../outside", "/etc/passwd", "a/../../outside"):
            with self.assertRaises(ToolError):
                self.workspace.path(name)

    def test_a_link_does_not_lead_outside(self):
        (self.root / "link").symlink_to("/etc")
        with self.assertRaises(ToolError):
            self.workspace.path("link/passwd")

    def test_a_diff_is_what_a_person_sees(self):
        self.workspace.write("a.conf", "one\ntwo\n")
        self.assertIn("+three", self.workspace.diff("a.conf", "one\nthree\n"))


if __name__ == "__main__":
    unittest.main()
