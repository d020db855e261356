"""The words of every language: complete, usable by the wording, and those that mathematicians print."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from scidraft.paths import DATA


def load(name: str) -> Any:
    return yaml.safe_load((DATA / name).read_text(encoding="utf-8"))


ENGLISH = load("names/en.yaml")
KINDS = set(load("kinds.yaml"))
NOT_STATEMENTS = {"equation", "figure", "table", "listing", "section", "chapter", "appendix", "part", "page"}
LANGUAGES = sorted(path.stem for path in (DATA / "names").glob("*.yaml"))
TABLES = {language: load(f"names/{language}.yaml") for language in LANGUAGES}


@pytest.fixture(params=LANGUAGES)
def table(request: pytest.FixtureRequest) -> Any:
    return TABLES[request.param]


def test_these_languages_ship() -> None:
    assert {"de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh"} <= set(LANGUAGES)


def test_shape_is_that_of_english(table: Any) -> None:
    assert list(table) == list(ENGLISH)
    assert list(table["names"]) == list(ENGLISH["names"])
    for group in ("join", "head", "words"):
        assert set(table[group]) == set(ENGLISH[group])
    assert table["reference-case"] in ("as-written", "lower")


def test_every_kind_and_numbered_thing_has_two_names(table: Any) -> None:
    assert set(table["names"]) == KINDS | NOT_STATEMENTS
    for noun, words in table["names"].items():
        assert len(words) == 2, noun
        for word in words:
            assert isinstance(word, str), noun
            assert word and word == word.strip(), noun


def test_everything_else_is_text(table: Any) -> None:
    # YAML reads a bare `no`, which is a Portuguese word, as false.
    others = [table["language"], *table["lead-ins"], *table["join"].values(), *table["head"].values(), *table["words"].values()]
    assert all(isinstance(text, str) for text in others)
    assert all(table["join"].values())
    assert all(table["words"].values())
    assert all(table["lead-ins"])
    assert len(table["lead-ins"]) == len(set(table["lead-ins"]))


@pytest.mark.parametrize("key", ["of", "of-answer"])
def test_templates_name_the_head_and_its_target_once(table: Any, key: str) -> None:
    placeholders = re.findall(r"\{(.*?)\}", table[key])
    assert sorted(placeholders) in (["head", "target"], ["genitive", "head", "number"])


def test_genitives_are_complete_where_they_are_used(table: Any) -> None:
    used = "{genitive}" in table["of"] + table["of-answer"]
    assert set(table["genitive"]) == (set(table["names"]) if used else set())
    assert all(table["genitive"].values())


def test_heads_begin_with_a_capital_where_the_script_has_them(table: Any) -> None:
    for noun in KINDS:
        for word in table["names"][noun]:
            assert not word[0].islower()


@pytest.mark.parametrize("language", ["es", "fr", "it", "pt"])
def test_genitive_ends_in_the_name_inside_a_sentence(language: str) -> None:
    for noun, phrase in TABLES[language]["genitive"].items():
        name = TABLES[language]["names"][noun][0].lower()
        assert re.split(r"[ ’]", phrase)[-1] == name


@pytest.mark.parametrize("language", ["fr", "it"])
def test_article_is_elided_exactly_before_vowels(language: str) -> None:
    for phrase in TABLES[language]["genitive"].values():
        word = re.split(r"[ ’]", phrase)[-1]
        assert ("’" in phrase) == (word[0] in "aeiouéh"), phrase


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_nouns_have_one_form_in_chinese_and_japanese(language: str) -> None:
    assert all(singular == plural for singular, plural in TABLES[language]["names"].values())


@pytest.mark.parametrize(
    ("language", "theorem", "theorems", "lemma", "corollary", "remark", "proof", "equation"),
    [
        ("en", "Theorem", "Theorems", "Lemma", "Corollary", "Remark", "Proof", "Equation"),
        ("de", "Satz", "Sätze", "Lemma", "Korollar", "Bemerkung", "Beweis", "Gleichung"),
        ("nl", "Stelling", "Stellingen", "Lemma", "Gevolg", "Opmerking", "Bewijs", "Vergelijking"),
        ("fr", "Théorème", "Théorèmes", "Lemme", "Corollaire", "Remarque", "Démonstration", "Équation"),
        ("es", "Teorema", "Teoremas", "Lema", "Corolario", "Observación", "Demostración", "Ecuación"),
        ("it", "Teorema", "Teoremi", "Lemma", "Corollario", "Osservazione", "Dimostrazione", "Equazione"),
        ("pt", "Teorema", "Teoremas", "Lema", "Corolário", "Observação", "Demonstração", "Equação"),
        ("pl", "Twierdzenie", "Twierdzenia", "Lemat", "Wniosek", "Uwaga", "Dowód", "Równanie"),
        ("ru", "Теорема", "Теоремы", "Лемма", "Следствие", "Замечание", "Доказательство", "Уравнение"),
        ("zh", "定理", "定理", "引理", "推论", "注", "证明", "式"),
        ("ja", "定理", "定理", "補題", "系", "注意", "証明", "式"),
    ],
)
def test_words_that_are_printed(
    language: str, theorem: str, theorems: str, lemma: str, corollary: str, remark: str, proof: str, equation: str
) -> None:
    names = TABLES[language]["names"]
    assert names["theorem"] == [theorem, theorems]
    singulars = [names[noun][0] for noun in ("lemma", "corollary", "remark", "proof", "equation")]
    assert singulars == [lemma, corollary, remark, proof, equation]


def phrase(language: str, key: str, head: str, target: str) -> str:
    """`of` or `of-answer` filled in as the wording does it, for the target's number 2."""
    table = TABLES[language]
    name = table["names"][target][0]
    if table["reference-case"] == "lower":
        name = name[0].lower() + name[1:]
    filled: str = table[key].format(
        head=table["names"][head][0], target=f"{name} 2", genitive=table["genitive"].get(target), number="2"
    )
    return filled


@pytest.mark.parametrize(
    ("language", "proof_of_theorem", "solution_to_exercise"),
    [
        ("en", "Proof of Theorem 2", "Solution to Exercise 2"),
        ("de", "Beweis von Satz 2", "Lösung zu Aufgabe 2"),
        ("nl", "Bewijs van stelling 2", "Oplossing van opgave 2"),
        ("fr", "Démonstration du théorème 2", "Solution de l’exercice 2"),
        ("es", "Demostración del teorema 2", "Solución del ejercicio 2"),
        ("it", "Dimostrazione del teorema 2", "Soluzione dell’esercizio 2"),
        ("pt", "Demonstração do teorema 2", "Solução do exercício 2"),
        ("pl", "Dowód twierdzenia 2", "Rozwiązanie do zadania 2"),
        ("ru", "Доказательство теоремы 2", "Решение упражнения 2"),
        ("zh", "定理 2 的证明", "习题 2 的解"),
        ("ja", "定理 2 の証明", "演習問題 2 の解答"),
    ],
)
def test_proof_of_and_solution_to(language: str, proof_of_theorem: str, solution_to_exercise: str) -> None:
    assert phrase(language, "of", "proof", "theorem") == proof_of_theorem
    assert phrase(language, "of-answer", "solution", "exercise") == solution_to_exercise


@pytest.mark.parametrize(
    ("language", "noun", "expected"),
    [
        ("fr", "proposition", "de la proposition"),
        ("fr", "example", "de l’exemple"),
        ("fr", "table", "du tableau"),
        ("es", "proposition", "de la proposición"),
        ("es", "equation", "de la ecuación"),
        ("it", "proposition", "della proposizione"),
        ("it", "example", "dell’esempio"),
        ("it", "figure", "della figura"),
        ("pt", "proposition", "da proposição"),
        ("pt", "section", "da seção"),
        ("pl", "lemma", "lematu"),
        ("pl", "formula", "wzoru"),
        ("ru", "lemma", "леммы"),
        ("ru", "chapter", "главы"),
    ],
)
def test_genitives(language: str, noun: str, expected: str) -> None:
    assert TABLES[language]["genitive"][noun] == expected


@pytest.mark.parametrize(
    ("language", "head"),
    [("en", "Theorem 1 (Euler)."), ("de", "Satz 1 (Euler)."), ("zh", "定理 1（Euler）"), ("ja", "定理 1（Euler）")],
)
def test_marks_of_a_head(language: str, head: str) -> None:
    table = TABLES[language]
    marks = table["head"]
    assert f"{table['names']['theorem'][0]} 1{marks['open']}Euler{marks['close']}{marks['stop']}" == head


@pytest.mark.parametrize(
    ("language", "pair", "run"),
    [
        ("en", "2 and 3", "2–4"),
        ("de", "2 und 3", "2–4"),
        ("nl", "2 en 3", "2–4"),
        ("fr", "2 et 3", "2\u00a0à\u00a04"),
        ("es", "2 y 3", "2\u00a0a\u00a04"),
        ("it", "2 e 3", "2–4"),
        ("pt", "2 e 3", "2\u00a0a\u00a04"),
        ("pl", "2 i 3", "2–4"),
        ("ru", "2 и 3", "2–4"),
        ("zh", "2 和 3", "2～4"),
        ("ja", "2 と 3", "2〜4"),
    ],
)
def test_several_references(language: str, pair: str, run: str) -> None:
    join = TABLES[language]["join"]
    assert f"2{join['two']}3" == pair
    assert f"2{join['range']}4" == run


@pytest.mark.parametrize(
    ("language", "lead_ins"),
    [
        ("de", {"siehe", "vgl.", "nach", "aus", "in"}),
        ("fr", {"voir", "cf.", "d’après", "par"}),
        ("es", {"véase", "por", "según"}),
        ("it", {"si veda", "cfr.", "per"}),
        ("pt", {"ver", "cf.", "por", "no"}),
        ("nl", {"zie", "vgl.", "volgens"}),
        ("pl", {"zob.", "por.", "na mocy"}),
        ("ru", {"см.", "ср.", "по"}),
        ("zh", {"见", "参见", "由"}),
    ],
)
def test_lead_ins(language: str, lead_ins: set[str]) -> None:
    assert lead_ins <= set(TABLES[language]["lead-ins"])
