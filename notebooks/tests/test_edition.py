"""What this edition says, worked out by hand from the two articles. The one file to edit when the data grows."""

import json
import re

import pytest
from conftest import TOP
from tables import NO_SOURCE

PATH = TOP / "notebooks" / "trainium.ipynb"
CELLS = json.loads(PATH.read_text(encoding="utf-8"))["cells"]
WORDS = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")


@pytest.mark.parametrize(
    "words",
    [
        # 1 / 1.4 = 0.7142..., 1 / 1.45 = 0.6896...; both are above two thirds
        "## 1. By our arithmetic, Claude runs on more than two thirds of the deployed chips",
        "| more than 71%; more than 68.9% | ro 9 |",
        # 1.4 - 1 and 1.45 - 1 million; 0.4 / 1.4 = 0.2857..., 0.45 / 1.45 = 0.3103...
        "| fewer than 400,000 chips, less than 29%; fewer than 450,000 chips, less than 31.1% | ro 9 |",
        # more than half of more than a million, and no more than are deployed
        "| more than 500,000, at most 1.4 million chips; more than 500,000, at most 1.45 million chips | ro 9, ro 44 |",
        # 2,000 MW over 1.4, 1.45 and 1.35 million chips: 1,428.57, 1,379.3 and 1,481.5 W
        "| about 1,429 W per chip; 1,379 to 1,482 W per chip | ro 8, ro 9 |",
        "## 2. What 2 GW means in chips cannot be known from the articles",
        "## 3. A saving of “up to 50%” may be anything from none to half",
        "| at most 2 times as much | ro 13 |",
        # ro 2, 9 (three), 13, 21, 52 and mr 3
        "## 4. Of 25 statements of a number, 8 name a source: always Amazon\\*",
        "## 5. The Marathi article carries none of the four numbers",
        # no date: ro 2, 7, 9, 22, 44, 52 and mr 3, 9
        "## 6. Of 16 mentions of a time, 8 give no date",
        "3 mentions name a December without its year (ro 14, ro 41, ro 52); we infer 2025",
    ],
)
def test_the_page_says(words):
    assert words in WORDS


@pytest.mark.parametrize(
    "sentence",
    [
        "1.4 million chips of Amazon's Trainium line are deployed, across all three generations, says “the company”, "
        "apparently Amazon, in an undated Romanian article.",
        "Claude, Anthropic's AI model, runs on more than 1 million chips, all Trainium2, says “the company”, "
        "apparently Amazon, in an undated Romanian article.",
        "AWS, Amazon's cloud business, has committed itself to 2 GW of Trainium computing capacity for OpenAI, reports "
        "an undated Romanian article that names no source for the figure.",
        "Amazon claims, in an undated Romanian article, that its new chips on Trn3 UltraServers can lower "
        "running costs by up to 50%, at performance comparable to that of classic cloud servers.",
    ],
)
def test_what_is_copied_stands_as_it_was_weighed(sentence):
    """Word by word, against ro 8, ro 9 and ro 13; in the page and in the README."""
    assert sentence in WORDS
    assert sentence in (TOP / "README.md").read_text(encoding="utf-8")


# How many paragraphs; each with numbers, and of each number whether it names a source: (S)olid, or none: (H)ollow.
MAP = {55: "2S 8H 9SSS 11H 13S 16H 21S 25HH 28H 29H 31H 44HH 52S 53H 55H", 15: "3S 6H 7HH 9HH"}

STATED = {  # read in the articles: unit, hedge and ends
    ("ro", 2, "openai-investment"): ("50 billion dollars", 50_000_000_000, 50_000_000_000, "USD"),
    ("ro", 8, "openai-capacity"): ("2 GW", 2, 2, "GW"),
    ("ro", 9, "chips-deployed"): ("1.4 million chips", 1_400_000, 1_400_000, "chips"),
    ("ro", 9, "generations"): ("all three generations", 3, 3, "generations"),
    ("ro", 9, "claude-chips"): ("more than 1 million chips", 1_000_000, None, "chips"),
    ("ro", 11, "bedrock-share"): ("most", 50, None, "percent"),
    ("ro", 13, "cost-cut"): ("up to 50%", None, 50, "percent"),
    ("ro", 16, "daily-tokens"): ("trillions of tokens processed each day", 10**12, None, "tokens per day"),
    ("ro", 21, "lines-to-change"): ("practically a single line", 1, 1, "lines"),
    ("ro", 25, "annapurna-price"): ("about 350 million dollars", 350_000_000, 350_000_000, "USD"),
    ("ro", 25, "design-experience"): ("more than a decade", 10, None, "years"),
    ("ro", 28, "lab-area"): ("equivalent to two large meeting rooms", 2, 2, "rooms"),
    ("ro", 29, "process-node"): ("3 nanometres", 3, 3, "nm"),
    ("ro", 31, "months-to-power-up"): ("about 18 months", 18, 18, "months"),
    ("ro", 44, "rainier-share"): ("most", 50, None, "percent"),
    ("ro", 44, "rainier-chips"): ("500,000 chips", 500_000, 500_000, "chips"),
    ("ro", 52, "trainium-revenue"): ("billions of dollars", 10**9, None, "USD"),
    ("ro", 53, "bring-up-weeks"): ("three to four weeks", 3, 4, "weeks"),
    ("ro", 55, "hotel-nights"): ("a single night", 1, 1, "nights"),
    ("mr", 3, "openai-investment"): ("50 billion dollars", 50_000_000_000, 50_000_000_000, "USD"),
    ("mr", 6, "synchronised-chips"): ("thousands of chips", 1000, None, "chips"),
    ("mr", 7, "training-run-chips"): ("up to tens of thousands of chips", 10_000, None, "chips"),
    ("mr", 7, "waiting-time"): ("most", 50, None, "percent"),
    ("mr", 9, "openai-investment"): ("50 billion dollars", 50_000_000_000, 50_000_000_000, "USD"),
    ("mr", 9, "openai-look-back"): ("18 months earlier", 18, 18, "months earlier"),
}


def test_the_statements_are_these(data):
    """In words, and as numbers: a meaning in words.csv and the numbers that follow from it cannot move together."""
    numbers = [*data.statements.number.items()]
    assert {key: (str(number), number.low, number.high, number.unit) for key, number in numbers} == STATED
    hedged = [key for key, (words, *_) in STATED.items() if words.startswith(("about", "practically", "equivalent to"))]
    assert [key for key, number in numbers if number.about] == hedged


def test_who_says_what(data):
    named = data.statements[data.statements.who != NO_SOURCE]
    told = ["ro 2 Amazon", *["ro 9 Amazon*"] * 3, "ro 13 Amazon", "ro 21 Amazon", "ro 52 Amazon", "mr 3 Amazon"]
    assert [*(named["where"] + " " + named.who)] == told
    assert [*data.positions["where"][data.positions.attribution == "inferred"]] == ["ro 9"]


DATED = [  # read in the articles: paragraph, words, first and last month or year, where the year is from
    "ro 14 December 2025-12 2025-12 inferred",
    "ro 17 2024 2024 2024 printed",
    "ro 25 January 2015 2015-01 2015-01 printed",
    "ro 41 December 2025-12 2025-12 inferred",
    "ro 44 end of 2025 2025-10 2025-12 printed",
    "ro 52 December 2025-12 2025-12 inferred",
    "mr 4 2015 2015 2015 printed",
    "mr 4 2025 and 2026 2025 2026 printed",
]
UNDATED = ["ro 2", "ro 7", "ro 9", "ro 22", "ro 44", "ro 52", "mr 3", "mr 9"]


def test_the_times_are_these(data):
    rows = data.events
    told = rows["where"] + " " + rows.in_english + " " + rows.earliest + " " + rows.latest + " " + rows.year_from
    assert [*told.dropna()] == DATED
    assert [*rows["where"][told.isna()]] == UNDATED


GUARDS = {  # what stops the rebuild where a finding no longer holds, in the first cell below its heading
    "1": "assert claude.low / rounded.high > 2 / 3",
    "2": 'assert "power-per-chip" in data.gaps.index',
    "3": "assert ro.cost_cut.high == 50 and not ro.cost_cut.low",
    "4": 'assert {*data.statements.said_by} <= {"Amazon", "narration"}',
    "5": 'assert in_both == {"openai_investment"}',
    "6": 'assert {*guessed.in_english} == {"December"}',
}


@pytest.mark.parametrize("section", GUARDS)
def test_each_finding_is_guarded(section):
    words = (TOP / "notebooks" / "trainium.md").read_text(encoding="utf-8")
    first_cell = words.split(f"\n## {section}. ")[1].split("```")[1]
    assert GUARDS[section] in first_cell.splitlines()


def test_the_page_is_light_and_every_picture_can_be_heard():
    assert PATH.stat().st_size <= 500_000
    code = [cell for cell in CELLS if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert max(len(line) for cell in code for line in "".join(cell["source"]).splitlines()) <= 60
    outputs = [output for cell in code for output in cell["outputs"]]
    pictures = [output for output in outputs if "image/png" in output["data"]]
    assert len(pictures) == 4
    for picture in pictures:
        alt = picture["metadata"]["image/png"]["alt"]
        assert alt == "".join(picture["data"]["text/plain"]) and len(alt.split()) > 20
    for table in ("".join(output["data"].get("text/html", "")) for output in outputs):
        assert not re.search(r"<NA>|\bnan\b|\ufffd", table)
        assert table.split("</tr>")[0].count("<th") <= 3  # columns, on a phone


FOR_TWO = ["two news articles", "two undated articles", "two articles", "neither article", "in both", "that both"]


def test_sentences_for_two_articles_stand_while_there_are_two(data):
    there = [words for words in FOR_TWO if words in WORDS.lower()]
    assert there == FOR_TWO * (len(data.articles) == 2), f"{len(data.articles)} articles, but trainium.md says: {there}"
