"""How words, facts and sentences are joined in each language."""

import pytest

JOIN_TEXTS = """async () => {
    const texts = await import(document.querySelector("script[type=module]").src.replace("router.js", "core/i18n.js"));
    return [
        texts.formatAlternatives(["A", "B"]), texts.joinParts(["A", "B"]), texts.joinSentences([]),
        texts.joinSentences(["A", "B.", "C? D", "E!", "F (G.)", "H"]),
    ];
}"""


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["A or B", "A · B", "", "A. B. C? D. E! F (G.) H"]),
        ("ja", ["AまたはB", "A · B", "", "A。B.C? D。E!F (G.)H"]),
    ],
)
def test_texts_are_joined_by_the_languages_rules(person, language, expected):
    page = person(language=language).page
    page.goto("/")
    assert page.evaluate(JOIN_TEXTS) == expected
