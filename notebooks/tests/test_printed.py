"""A figure or date is read as it is printed, part by part, and a lost or changed part is seen."""

from fractions import Fraction as F  # noqa: N817

import pytest
from printed import Parts, UnreadableError, pieces

WORDS = {
    "million": "times 1000000",
    "tens of thousands": "times 10000",
    "three": "3",
    "four": "4",
    "a decade": "10 years",
    "more than": "more than",
    "up to": "up to",
    "practically": "practically",
    "about": "about",
    "to": "between",
    "and": "and",
    "most": "most",
    "chips": "chips",
    "of chips": "chips",
    "weeks": "weeks",
    "%": "percent",
    "$": "USD",
    "end of": "month 10 to 12",
    "December": "month 12 to 12",
    "this month": "undated this month",
    "months": "months",
    "months earlier": "months earlier",
}


def read(printed, decimal=".", thousands=","):
    return Parts.of(pieces(printed, WORDS, decimal, thousands))


@pytest.mark.parametrize(
    ("printed", "figure"),
    [
        ("1.4 million chips", ("plain", F(1_400_000), F(1_400_000), "chips")),
        ("500,000 chips", ("plain", F(500_000), F(500_000), "chips")),
        ("more than 1 million chips", ("more than", F(1_000_000), None, "chips")),
        ("up to 50%", ("up to", None, F(50), "percent")),
        ("$50 million", ("plain", F(50_000_000), F(50_000_000), "USD")),
        ("practically 1 chips", ("about", F(1), F(1), "chips")),
        ("three to four weeks", ("between", F(3), F(4), "weeks")),
        ("more than a decade", ("more than", F(10), None, "years")),
        ("most", ("more than", F(50), None, "percent")),
        ("tens of thousands of chips", ("order of magnitude", F(10_000), None, "chips")),
        ("up to tens of thousands of chips", ("order of magnitude", F(10_000), None, "chips")),
    ],
)
def test_a_figure(printed, figure):
    assert read(printed).figure() == figure


def test_nothing_is_read_where_there_are_no_words():
    with pytest.raises(UnreadableError):
        pieces("many", {}, ".", ",")


def test_signs_are_those_of_the_article():
    assert read("1,4 million chips", ",", ".") == read("1.4 million chips")
    assert read("500.000 chips", ",", ".") == read("500,000 chips")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("three to four weeks", "3 to 4 weeks"),
        ("three to four weeks", "three and four weeks"),
        ("1.4 million chips", "1.40 million chips"),
        ("1.4 million chips", "1,400,000 chips"),
    ],
)
def test_parts_that_differ(one, other):
    assert read(one) != read(other)


@pytest.mark.parametrize(
    ("printed", "date"),
    [
        ("end of 2025", (("2025",), "10", "12")),
        ("December", ((), "12", "12")),
        ("2025 and 2026", (("2025", "2026"), "", "")),
        ("this month", ((), "", "")),
        ("18 months earlier", ((), "", "")),
    ],
)
def test_a_date(printed, date):
    assert read(printed).date() == date


@pytest.mark.parametrize(
    ("printed", "what"),
    [
        *((words, "figure") for words in ("1.4 billion chips", "more than about 3 weeks", "3", "chips", "1.4.2%")),
        *((words, "figure") for words in ("three four weeks", "four to three weeks", "3 weekss", "0.5e3 chips")),
        *((words, "figure") for words in ("three tofour weeks", "three to three weeks", "most chips")),
        ("3 million million chips", "figure"),
        *((words, "date") for words in ("2024 and 2025 and 2026", "18 months", "3025")),
        *((words, "date") for words in ("2025 2026", "December end of 2025", "more than 2025", "3 weeks", "year 2025")),
        ("2026 and 2025", "date"),
    ],
)
def test_what_is_no_figure_and_no_date(printed, what):
    with pytest.raises(UnreadableError):
        getattr(read(printed), what)()


def test_what_the_last_printed_digit_stands_for():
    assert read("1.4 million chips").step() == 100_000
    assert read("2 chips").step() == read("three weeks").step() == 1
