"""A figure or date is read as it is printed, part by part, and a lost or changed part is seen."""

import pytest
from printed import Parts, UnreadableError, pieces

AS_THEY_STAND = ["more than", "up to", "practically", "about", "and", "most", "chips", "weeks", "months earlier"]
WORDS = {word: word for word in AS_THEY_STAND} | {
    "million": "times 1000000",
    "tens of thousands": "times 10000",
    "three": "3",
    "four": "4",
    "a decade": "10 years",
    "to": "between",
    "of chips": "chips",
    "%": "percent",
    "$": "USD",
    "end of": "month 10 to 12",
    "December": "month 12 to 12",
    "this month": "undated this month",
}


def read(printed, words=WORDS, decimal=".", thousands=","):
    return Parts.of(pieces(printed, words, decimal, thousands))


@pytest.mark.parametrize(
    ("printed", "figure"),
    [
        ("1.4 million chips", ("plain", 1_400_000, 1_400_000, "chips")),
        ("500,000 chips", ("plain", 500_000, 500_000, "chips")),
        ("more than 1 million chips", ("more than", 1_000_000, None, "chips")),
        ("up to 50%", ("up to", None, 50, "percent")),
        ("$50 million", ("plain", 50_000_000, 50_000_000, "USD")),
        ("practically 1 chips", ("about", 1, 1, "chips")),
        ("three to four weeks", ("between", 3, 4, "weeks")),
        ("more than a decade", ("more than", 10, None, "years")),
        ("most", ("more than", 50, None, "percent")),
        ("up to tens of thousands of chips", ("order of magnitude", 10_000, None, "chips")),
    ],
)
def test_a_figure(printed, figure):
    assert read(printed).figure() == figure


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


def test_signs_are_those_of_the_article():
    assert read("1,4 million chips", decimal=",", thousands=".") == read("1.4 million chips")
    assert read("500.000 chips", decimal=",", thousands=".") == read("500,000 chips")


def test_a_changed_part_is_seen():
    assert read("three to four weeks") not in (read("3 to 4 weeks"), read("three and four weeks"))
    assert read("1.4 million chips") not in (read("1.40 million chips"), read("1,400,000 chips"))


NO_FIGURE = [
    *("1.4 billion chips", "1.4.2%", "0.5e3 chips", "3 weekss", "three tofour weeks"),  # parts that are no words
    *("3", "chips", "most chips", "3 million million chips", "more than about 3 weeks", "three four weeks"),
    *("four to three weeks", "three to three weeks"),  # the lower number stands first
]
NO_DATE = [
    *("3025", "2025 2026", "2026 and 2025", "2024 and 2025 and 2026"),
    *("December end of 2025", "more than 2025", "3 weeks"),
]


@pytest.mark.parametrize("printed", NO_FIGURE)
def test_what_is_no_figure(printed):
    with pytest.raises(UnreadableError):
        read(printed).figure()


@pytest.mark.parametrize("printed", NO_DATE)
def test_what_is_no_date(printed):
    with pytest.raises(UnreadableError):
        read(printed).date()


def test_nothing_is_read_in_a_language_without_words():
    with pytest.raises(UnreadableError):
        read("many", words={})


def test_what_the_last_printed_digit_stands_for():
    assert read("1.4 million chips").step() == 100_000
    assert read("2 chips").step() == read("three weeks").step() == 1
