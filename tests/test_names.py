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
NOT_STATEMENTS = {"equation", "figure", "table", "listing", "section", "chapter", "appendix", "part", "page", "footnote"}
LANGUAGES = sorted(path.stem for path in (DATA / "names").glob("*.yaml"))
TABLES = {language: load(f"names/{language}.yaml") for language in LANGUAGES}


@pytest.fixture(params=LANGUAGES)
def table(request: pytest.FixtureRequest) -> Any:
    return TABLES[request.param]


def test_these_languages_ship() -> None:
    first = "de en es fr it ja nl pl pt ru zh"
    others = "ar bg ca cs da el et eu fa fi he hr hu id ko lt lv nb nn ro sk sl sv tr uk vi zh-TW"
    assert {*first.split(), *others.split()} <= set(LANGUAGES)


def test_first_line_names_the_language_and_is_its_own() -> None:
    lines = {language: (DATA / f"names/{language}.yaml").read_text(encoding="utf-8").splitlines()[0] for language in LANGUAGES}
    assert len(set(lines.values())) == len(LANGUAGES)
    for language, line in lines.items():
        assert line.startswith(f"# {TABLES[language]['language']}"), language
        assert len(line) > len(f"# {TABLES[language]['language']}. "), language


def test_shape_is_that_of_english(table: Any) -> None:
    # Only a table with phrases per kind says what to write for a kind that has none.
    assert [key for key in table if key != "of-other"] == list(ENGLISH)
    assert ("of-other" in table) == ("{genitive}" in table["of"] + table["of-answer"])
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


def test_words_around_a_number_are_a_pair(table: Any) -> None:
    assert set(table["around"]) <= {"section", "chapter", "part", "page"}
    for before, after in table["around"].values():
        assert isinstance(before, str)
        assert isinstance(after, str)
        assert after


@pytest.mark.parametrize("key", ["of", "of-answer", "of-other"])
def test_templates_name_the_head_and_its_target_once(table: Any, key: str) -> None:
    placeholders = re.findall(r"\{(.*?)\}", table.get(key, "{head} {target}"))
    assert sorted(placeholders) in (["head", "target"], ["genitive", "head", "number"])


def test_genitives_are_complete_where_they_are_used(table: Any) -> None:
    used = "{genitive}" in table["of"] + table["of-answer"]
    assert table["genitive"] or not used
    assert set(table["genitive"]) in (set(), set(table["names"]))
    assert all(table["genitive"].values())


def test_text_is_in_reading_order_without_direction_marks(table: Any) -> None:
    assert not re.search("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", str(table))


def test_no_lead_in_is_a_name(table: Any) -> None:
    # [Example @exm-x] names the example: its author cannot have meant a word before the name.
    names = {word.casefold() for words in table["names"].values() for word in words}
    assert not names & {word.rstrip(".").casefold() for word in table["lead-ins"]}


def test_heads_begin_with_a_capital_where_the_script_has_them(table: Any) -> None:
    for noun in KINDS:
        for word in table["names"][noun]:
            assert not word[0].islower()


@pytest.mark.parametrize("language", ["ca", "es", "fr", "it", "pt"])
def test_genitive_ends_in_the_name_inside_a_sentence(language: str) -> None:
    for noun, phrase in TABLES[language]["genitive"].items():
        name = TABLES[language]["names"][noun][0].lower()
        assert phrase.endswith((f" {name}", f"’{name}")), noun


@pytest.mark.parametrize("language", ["fr", "it"])
def test_article_is_elided_exactly_before_vowels(language: str) -> None:
    for phrase in TABLES[language]["genitive"].values():
        word = re.split(r"[ ’]", phrase)[-1]
        assert ("’" in phrase) == (word[0] in "aeiouéh"), phrase


@pytest.mark.parametrize("language", ["id", "ja", "ko", "tr", "vi", "zh", "zh-TW"])
def test_nouns_have_one_form_beside_a_number(language: str) -> None:
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
        ("cs", "Věta", "Věty", "Lemma", "Důsledek", "Poznámka", "Důkaz", "Rovnice"),
        ("sk", "Veta", "Vety", "Lema", "Dôsledok", "Poznámka", "Dôkaz", "Rovnica"),
        ("uk", "Теорема", "Теореми", "Лема", "Наслідок", "Зауваження", "Доведення", "Рівняння"),
        ("bg", "Теорема", "Теореми", "Лема", "Следствие", "Забележка", "Доказателство", "Уравнение"),
        ("hr", "Teorem", "Teoremi", "Lema", "Korolar", "Napomena", "Dokaz", "Jednadžba"),
        ("sl", "Izrek", "Izreki", "Lema", "Posledica", "Opomba", "Dokaz", "Enačba"),
        ("ro", "Teorema", "Teoremele", "Lema", "Corolarul", "Observația", "Demonstrație", "Ecuația"),
        ("hu", "Tétel", "Tételek", "Lemma", "Következmény", "Megjegyzés", "Bizonyítás", "Egyenlet"),
        ("el", "Θεώρημα", "Θεωρήματα", "Λήμμα", "Πόρισμα", "Παρατήρηση", "Απόδειξη", "Εξίσωση"),
        ("sv", "Sats", "Satser", "Lemma", "Följdsats", "Anmärkning", "Bevis", "Ekvation"),
        ("da", "Sætning", "Sætninger", "Lemma", "Korollar", "Bemærkning", "Bevis", "Ligning"),
        ("nb", "Teorem", "Teoremer", "Lemma", "Korollar", "Merknad", "Bevis", "Ligning"),
        ("nn", "Teorem", "Teorem", "Lemma", "Korollar", "Merknad", "Bevis", "Likning"),
        ("fi", "Lause", "Lauseet", "Lemma", "Seuraus", "Huomautus", "Todistus", "Yhtälö"),
        ("et", "Teoreem", "Teoreemid", "Lemma", "Järeldus", "Märkus", "Tõestus", "Võrrand"),
        ("lt", "Teorema", "Teoremos", "Lema", "Išvada", "Pastaba", "Įrodymas", "Lygtis"),
        ("lv", "Teorēma", "Teorēmas", "Lemma", "Sekas", "Piezīme", "Pierādījums", "Vienādojums"),
        ("tr", "Teorem", "Teorem", "Lemma", "Sonuç", "Uyarı", "Kanıt", "Denklem"),
        ("ca", "Teorema", "Teoremes", "Lema", "Corol·lari", "Observació", "Demostració", "Equació"),
        ("eu", "Teorema", "Teoremak", "Lema", "Korolarioa", "Oharra", "Frogapena", "Ekuazioa"),
        ("ko", "정리", "정리", "보조정리", "따름정리", "참고", "증명", "식"),
        ("zh-TW", "定理", "定理", "引理", "推論", "註", "證明", "式"),
        ("he", "משפט", "משפטים", "למה", "מסקנה", "הערה", "הוכחה", "משוואה"),
        ("ar", "مبرهنة", "مبرهنات", "تمهيدية", "نتيجة", "ملاحظة", "برهان", "معادلة"),
        ("fa", "قضیه", "قضیه\u200cهای", "لم", "نتیجه", "ملاحظه", "برهان", "معادله"),
        ("vi", "Định lý", "Định lý", "Bổ đề", "Hệ quả", "Nhận xét", "Chứng minh", "Phương trình"),
        ("id", "Teorema", "Teorema", "Lema", "Akibat", "Catatan", "Bukti", "Persamaan"),
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
        ("cs", "Důkaz věty 2", "Řešení cvičení 2"),
        ("sk", "Dôkaz vety 2", "Riešenie cvičenia 2"),
        ("uk", "Доведення теореми 2", "Розв’язання вправи 2"),
        ("bg", "Доказателство на теорема 2", "Решение на упражнение 2"),
        ("hr", "Dokaz teorema 2", "Rješenje zadatka 2"),
        ("sl", "Dokaz izreka 2", "Rešitev naloge 2"),
        ("ro", "Demonstrație a teoremei 2", "Soluție la exercițiul 2"),
        ("hu", "Bizonyítás (tétel 2)", "Megoldás (feladat 2)"),
        ("el", "Απόδειξη του Θεωρήματος 2", "Λύση της Άσκησης 2"),
        ("sv", "Bevis av sats 2", "Lösning till övning 2"),
        ("da", "Bevis for sætning 2", "Løsning til opgave 2"),
        ("nb", "Bevis for teorem 2", "Løsning på oppgave 2"),
        ("nn", "Bevis for teorem 2", "Løysing på oppgåve 2"),
        ("fi", "Todistus (lause 2)", "Ratkaisu (harjoitustehtävä 2)"),
        ("et", "Tõestus (teoreem 2)", "Lahendus (ülesanne 2)"),
        ("lt", "Įrodymas (teorema 2)", "Sprendimas (pratimas 2)"),
        ("lv", "Pierādījums (teorēma 2)", "Atrisinājums (uzdevums 2)"),
        ("tr", "Kanıt (Teorem 2)", "Çözüm (Alıştırma 2)"),
        ("ca", "Demostració del teorema 2", "Solució de l’exercici 2"),
        ("eu", "Frogapena (teorema 2)", "Ebazpena (ariketa 2)"),
        ("ko", "정리 2의 증명", "연습문제 2의 풀이"),
        ("zh-TW", "定理 2 的證明", "習題 2 的解"),
        ("he", "הוכחה של משפט 2", "פתרון לתרגיל 2"),
        ("ar", "برهان مبرهنة 2", "حل تمرين 2"),
        ("fa", "برهان قضیه 2", "حل تمرین 2"),
        ("vi", "Chứng minh Định lý 2", "Lời giải Bài tập 2"),
        ("id", "Bukti Teorema 2", "Solusi Latihan 2"),
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
        ("fr", "step", "de l’étape"),
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
        ("ru", "case", "случая"),
        ("cs", "lemma", "lemmatu"),
        ("cs", "footnote", "poznámky pod čarou"),
        ("sk", "formula", "vzorca"),
        ("uk", "criterion", "критерію"),
        ("hr", "section", "odjeljka"),
        ("sl", "lemma", "leme"),
        ("ro", "figure", "figurii"),
        ("el", "table", "του Πίνακα"),
        ("ca", "identity", "de la identitat"),
        ("ca", "equation", "de l’equació"),
        ("fi", "rule", "säännön"),
        ("et", "principle", "printsiibi"),
        ("lt", "equation", "lygties"),
        ("lv", "corollary", "seku"),
    ],
)
def test_genitives(language: str, noun: str, expected: str) -> None:
    assert TABLES[language]["genitive"][noun] == expected


@pytest.mark.parametrize(
    ("language", "head"),
    [
        ("en", "Theorem 1 (Euler)."),
        ("de", "Satz 1 (Euler)."),
        ("zh", "定理 1（Euler）"),
        ("zh-TW", "定理 1（Euler）"),
        ("ja", "定理 1（Euler）"),
        ("ko", "정리 1 (Euler)."),
        ("ar", "مبرهنة 1 (Euler)."),
    ],
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
        ("cs", "2 a 3", "2–4"),
        ("uk", "2 і 3", "2–4"),
        ("el", "2 και 3", "2–4"),
        ("eu", "2 eta 3", "2–4"),
        ("ko", "2 및 3", "2–4"),
        ("zh-TW", "2 與 3", "2～4"),
        ("he", "2 ו־3", "2–4"),
        ("ar", "2 و3", "2–4"),
        ("fa", "2 و 3", "2\u00a0تا\u00a04"),
        ("vi", "2 và 3", "2–4"),
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
        ("cs", {"viz", "podle", "srov."}),
        ("hu", {"lásd", "vö.", "a"}),
        ("fi", {"ks.", "vrt."}),
        ("lv", {"sk.", "no"}),
        ("he", {"ראו", "לפי"}),
        ("vi", {"xem", "theo"}),
    ],
)
def test_lead_ins(language: str, lead_ins: set[str]) -> None:
    assert lead_ins <= set(TABLES[language]["lead-ins"])


@pytest.mark.parametrize(
    ("language", "noun", "expected"),
    [
        ("zh", "section", "第 2 节"),
        ("zh-TW", "page", "第 2 頁"),
        ("ja", "part", "第 2 部"),
        ("ja", "page", "2 ページ"),
        ("ko", "section", "2절"),
    ],
)
def test_words_around_the_number_of_a_division(language: str, noun: str, expected: str) -> None:
    before, after = TABLES[language]["around"][noun]
    assert f"{before}2{after}" == expected
