"""Find browsers of other engines than Chromium for the browser tests: Firefox, Debian's older Firefox ESR, WebKitGTK.

    python tools/engines.py      install what is missing, on Debian as root; print what there is

Tests call `find_firefox()`, `find_older_firefox()` and `find_webkit()`, and are skipped if a browser is not
installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGES = ("firefox-esr", "webkit2gtk-driver", "xvfb")
FOLDER = Path(sys.prefix) / "engines"  # holds a second Firefox, which the package manager would not install
APT = ("apt-get", "-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20")
SILENT_RUN = {"check": False, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def find_firefox() -> str | None:
    """Return the path of the system's Firefox, or None. COURTLY_FIREFOX overrides it."""
    return os.environ.get("COURTLY_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


def find_older_firefox() -> str | None:
    """Return the path of an older Firefox, or None. COURTLY_OLDER_FIREFOX overrides it."""
    installed = sorted(FOLDER.glob("firefox-*/usr/lib/firefox-esr/firefox-esr"))
    return os.environ.get("COURTLY_OLDER_FIREFOX") or (str(installed[0]) if installed else None)


def find_webkit() -> tuple[str, str] | None:
    """Return the paths of WebKitGTK's MiniBrowser and its driver, or None if one of them or Xvfb is missing."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return (str(browsers[-1]), driver) if driver and screen and browsers else None


def install_missing() -> None:
    """Install missing browsers from Debian's packages, if this runs as root."""
    if not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")):
        return
    if not (find_firefox() and find_older_firefox() and find_webkit()):
        subprocess.run([*APT, "update"], **SILENT_RUN)
    if not (find_firefox() and find_webkit()):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([*APT, "install", "-y", "--no-install-recommends", *PACKAGES], env=environment, **SILENT_RUN)
    if not find_older_firefox():
        _unpack_older()


def _unpack_older() -> None:
    """Unpack the oldest firefox-esr that Debian offers, if it offers several."""
    madison = subprocess.run(["apt-cache", "madison", "firefox-esr"], capture_output=True, text=True).stdout
    versions = list(dict.fromkeys(line.split("|")[1].strip() for line in madison.splitlines() if "|" in line))
    if len(versions) < 2:
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # apt-get downloads as another user
        subprocess.run([*APT, "download", f"firefox-esr={versions[-1]}"], cwd=folder, **SILENT_RUN)
        for package in Path(folder).glob("*.deb"):
            FOLDER.mkdir(parents=True, exist_ok=True)
            subprocess.run(["dpkg-deb", "-x", package, FOLDER / f"firefox-{versions[-1]}"], **SILENT_RUN)


if __name__ == "__main__":
    install_missing()
    print("browser tests use Firefox:", find_firefox() or "none")
    print("browser tests use an older Firefox:", find_older_firefox() or "none")
    print("browser tests use WebKitGTK:", (find_webkit() or ["none"])[0])
