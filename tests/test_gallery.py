"""`make gallery`: a page with pictures of a whole game."""

import json
import re
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parent.parent / "tools" / "gallery" / "gallery.py"


def test_the_gallery_shows_a_whole_game(tmp_path):
    options = ["--folder", tmp_path, "--language", "ja", "--size", "phone"]
    subprocess.run([sys.executable, TOOL, "puppet", *options], check=True, timeout=1200)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    pictures = json.loads(re.search(r"const pictures = (\[.*\]);", page).group(1))
    assert {picture["moment"] for picture in pictures} >= {"result", "replay", "review", "lesson", "rules"}
    assert {picture["colors"] for picture in pictures} == {"light", "dark", "forced"}
    assert all((tmp_path / picture["file"]).stat().st_size > 1000 for picture in pictures)
