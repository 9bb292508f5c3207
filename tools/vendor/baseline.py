"""Generates the types of the web platform restricted to Baseline widely available (in all engines for 30 months). The
type checker then reports every use of anything else.

Code that works without such a feature reads it as `any`: `/** @type {any} */ (navigator).vibrate?.(60)`.
"""

import json
import re
from pathlib import Path

OPENING_LINE = re.compile(r"(?:declare var|interface) (\w+)[^{]*\{$")
MEMBER_LINE = re.compile(r" {4}(?:readonly |get |set )?(\w+)[(:<]")
GLOBAL_LINE = re.compile(r"declare (?:var|function) (\w+)\b")
# Available in every engine for more than 30 months, but not Baseline for reasons that do not concern our use.
KNOWN = {
    "AudioParam": ("exponentialRampToValueAtTime", "linearRampToValueAtTime"),
    "Document": ("execCommand",),
    "KeyboardEvent": ("code", "repeat"),
}


def widely_available(modules: Path) -> dict[str, bool]:
    """Return for each entry of the platform (`api.Navigator.vibrate`) whether it is Baseline widely available."""
    found: dict[str, bool] = {}
    features = json.loads((modules / "web-features" / "data.json").read_text(encoding="utf-8"))["features"]
    for feature in features.values():
        status = feature.get("status", {})
        for key in feature.get("compat_features", ()):
            status_of_key = status.get("by_compat_key", {}).get(key, status)
            if key.startswith("api."):
                name = key.removeprefix("api.")
                found[name] = found.get(name, False) or status_of_key["baseline"] == "high"
    return found


def oldest_browsers(modules: Path) -> str:
    """Return the names of the oldest browsers that support everything that is widely available."""
    data = json.loads((modules / "web-features" / "data.json").read_text(encoding="utf-8"))
    statuses = [feature.get("status", {}) for feature in data["features"].values()]
    day = max(
        status["baseline_low_date"]
        for status in statuses
        if status.get("baseline") == "high" and "≤" not in status["baseline_low_date"]
    )

    def newest(browser: str) -> str:
        return [release["version"] for release in data["browsers"][browser]["releases"] if release["date"] <= day][-1]

    names = {"Chrome": "chrome", "Edge": "edge", "Firefox": "firefox", "Safari": "safari"}
    return ", ".join(f"{name} {newest(browser)}" for name, browser in names.items())


def write(modules: Path, lib: Path) -> None:
    """Write `lib.dom.d.ts` without the members and globals that are known not to be widely available."""
    availability = widely_available(modules)
    members: dict[str, bool] = {}  # member of any interface -> whether one of them is widely available
    for key, is_available in availability.items():
        name = key.split(".")[-1].removesuffix("_static")
        members[name] = members.get(name, False) or is_available
    interfaces = {key.split(".")[0] for key in availability}

    def missing(interface: str, member: str) -> bool:
        if member in KNOWN.get(interface, ()):
            return False
        keys = [key for key in (f"{interface}.{member}", f"{interface}.{member}_static") if key in availability]
        if keys:
            return not any(availability[key] for key in keys)
        if interface.startswith("CSSStyle"):
            return False  # biome checks style properties: see biome.jsonc
        return interface not in interfaces and not members.get(member, True)  # a mixin: its interfaces have the member

    kept_lines, inside, skips = [], "", False
    for line in lib.read_text(encoding="utf-8").splitlines():
        opened, member, other = OPENING_LINE.match(line), MEMBER_LINE.match(line), GLOBAL_LINE.match(line)
        if opened:
            inside = opened[1]
            skips = line.startswith("declare var") and availability.get(inside) is False
        elif other and (availability.get(other[1]) is False or missing("Window", other[1])):
            continue
        if not skips and not (inside and member and missing(inside, member[1])):
            kept_lines.append(line)
        if line in ("}", "};"):
            inside, skips = "", False
    (modules / "widely.d.ts").write_text("\n".join(kept_lines) + "\n", encoding="utf-8")
