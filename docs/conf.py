"""How Sphinx builds the documentation site: `make docs`.

The docstrings of Courtly are plain text: `code` in single backquotes, indented blocks that are code, and the sections
Args, Returns and Raises. `docs/docstrings.py` turns them into reStructuredText, so that no docstring has to know it.
"""

import sys
from pathlib import Path

from pygments.lexers.html import XmlLexer
from pygments.lexers.special import TextLexer
from sphinx.ext.autodoc.mock import _MockObject

import courtly

sys.path.insert(0, str(Path(__file__).parent))
import docstrings

project = "Courtly"
author = "the authors of Courtly"
copyright = "the authors of Courtly, MIT licence"
version = release = courtly.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "sphinx_copybutton"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Courtly"
html_favicon = "../courtly/web/logo.svg"
html_copy_source = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_inherit_docstrings = False  # what other libraries say of their own classes
autodoc_member_order = "bysource"
toc_object_entries = False  # a third of the time that the site takes
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_mock_imports = [  # the extras: the site needs none of them
    *("PIL", "choix", "cmaes", "cuda", "fluent", "gymnasium", "llvmlite", "matplotlib", "open_spiel", "openskill"),
    *("optuna", "pettingzoo", "pufferlib", "pyarrow", "pyspiel", "pytest", "ray", "scipy", "tomlkit"),
]
_MockObject.__int__ = lambda self: 0  # adapters/openspiel.py asks for the numbers of players that OpenSpiel names
napoleon_numpy_docstring = False
napoleon_use_rtype = False
suppress_warnings = ["ref.python"]  # two modules of the engine have a class Field, and annotations name it without them


def write_llms(app, failed):
    """Write llms.txt, the plain list of all pages, with links that lead to the pages of the site."""
    if not failed:
        text = Path(app.srcdir, "llms.txt").read_text(encoding="utf-8")
        Path(app.outdir, "llms.txt").write_text(text.replace(".md)", ".html)"), encoding="utf-8")


def setup(app):
    app.add_lexer("ftl", TextLexer)  # Fluent, which Pygments does not know
    app.add_lexer("svg", XmlLexer)
    app.connect("autodoc-process-docstring", docstrings.process, priority=400)  # before napoleon, which has 500
    app.connect("autodoc-skip-member", docstrings.skip)
    app.connect("build-finished", write_llms)
