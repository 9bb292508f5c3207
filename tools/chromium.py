"""Finds a Chromium for the browser tests: the system's, else Debian's package (as root), else Playwright's download.

Run as a program, it installs one if necessary and prints its path. Tests call `find_chromium()`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FONTS = "fonts-noto-cjk"


def find_chromium() -> str | None:
    """Return the path of a Chromium, or None. COURTLY_CHROMIUM overrides it."""
    override = os.environ.get("COURTLY_CHROMIUM")
    if override:
        return override
    installed = next((path for path in map(shutil.which, NAMES) if path), None)
    return installed or _find_playwright_chromium()


def _find_playwright_chromium() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def _install() -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"check": False, "stdout": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        for package in ("chromium-headless-shell", "chromium"):
            process = subprocess.run(
                ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package, FONTS],
                **quiet,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )
            if process.returncode == 0 and find_chromium():
                return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    if not find_chromium():
        print("installing a Chromium for the browser tests (once) ...")
        _install()
    path = find_chromium()
    if not path:
        sys.exit("no Chromium was found; set COURTLY_CHROMIUM to its path")
    print(f"browser tests use {path}")
