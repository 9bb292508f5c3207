"""The software bill of materials of a release, in the CycloneDX format.

It lists what the wheel contains from others (JavaScript libraries, icons, fonts) and the Python packages that it
requires, with the versions of uv.lock. The same release gives the same bytes.
"""

import json
import tomllib
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).parents[1]
VENDOR = ROOT / "tools" / "vendor"
VENDORED = {  # lock file: the packages in it that the wheel contains, by their licence file in courtly/web
    VENDOR / "package-lock.json": {
        "lit": "vendor/LICENSE-lit.txt",
        "lit-html": "vendor/LICENSE-lit.txt",
        "@fluent/bundle": "vendor/LICENSE-fluent.txt",
        "marked": "vendor/LICENSE-markdown.txt",
        "budoux": "vendor/LICENSE-budoux.txt",
        "uqr": "vendor/LICENSE-qr.txt",
        "@iconify-json/game-icons": "",  # its licence asks for the authors' names, with which each icons.js begins
    },
    VENDOR / "fonts" / "package-lock.json": {
        "@expo-google-fonts/noto-sans-jp": "fonts/LICENSE-gothic.txt",
        "@expo-google-fonts/noto-serif-jp": "fonts/LICENSE-mincho.txt",
        "@expo-google-fonts/source-sans-3": "fonts/LICENSE-sans.txt",
        "@expo-google-fonts/vollkorn": "fonts/LICENSE-serif.txt",
        "@expo-google-fonts/noto-sans-symbols-2": "fonts/LICENSE-signs-2.txt",
        "@expo-google-fonts/noto-sans-math": "fonts/LICENSE-signs-3.txt",
    },
}
FONT_PREFIX = "@expo-google-fonts/"


def make_sbom(wheel: Path, version: str, made: datetime) -> str:
    """Return the bill of materials of a wheel as JSON. Raises ValueError if it breaks the format's schema."""
    digest = sha256(wheel.read_bytes()).hexdigest()
    own = Component(
        name="courtly",
        version=version,
        type=ComponentType.APPLICATION,
        purl=PackageURL("pypi", None, "courtly", version),
        bom_ref="courtly",
        licenses=[LicenseFactory().make_from_string(read_licence())],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )
    bom = Bom(components=[*vendored_components(), *required_components()], serial_number=uuid.UUID(digest[:32]))
    bom.metadata.component, bom.metadata.timestamp = own, made.astimezone(UTC)
    bom.register_dependency(own, bom.components)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the bill of materials is not CycloneDX 1.6: {error}")
    return text


def read_licence() -> str:
    """Return the licences of all that the wheel contains, as an SPDX expression."""
    licence: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["license"]
    return licence


class VendoredPackage(NamedTuple):
    """A package that the wheel contains, with its licence as an SPDX identifier."""

    name: str
    version: str
    licence: str


def list_vendored() -> Iterator[VendoredPackage]:
    for lock, packages in VENDORED.items():
        locked = json.loads(lock.read_text("utf-8"))["packages"]
        for name in packages:
            row = locked[f"node_modules/{name}"]
            # the packages of fonts hold code as well, of which the wheel has nothing
            licence = "OFL-1.1" if name.startswith(FONT_PREFIX) else row["license"]
            yield VendoredPackage(name, row["version"], licence)


def vendored_components() -> Iterator[Component]:
    for package in list_vendored():
        scope, _, name = package.name.rpartition("/")
        yield Component(
            name=name,
            group=scope or None,
            version=package.version,
            type=ComponentType.LIBRARY,
            purl=PackageURL("npm", scope or None, name, package.version),
            bom_ref=f"npm:{package.name}",
            licenses=[LicenseFactory().make_from_string(package.licence)],
        )


def required_components() -> Iterator[Component]:
    """Yield the packages that an installation without extras brings, in the versions of the lock."""
    locked = {row["name"]: row for row in tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]}
    waiting, found = ["courtly"], set()
    while waiting:
        for needed in locked[waiting.pop()].get("dependencies", ()):
            if needed["name"] not in found:
                found.add(needed["name"])
                waiting.append(needed["name"])
    for name in sorted(found):
        version = locked[name]["version"]
        yield Component(
            name=name,
            version=version,
            type=ComponentType.LIBRARY,
            purl=PackageURL("pypi", None, name, version),
            bom_ref=f"pypi:{name}",
        )
