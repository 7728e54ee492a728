"""What a reader would notice in a picture; what is expected is worked out by hand from the two articles."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import charts
import matplotlib
import pandas as pd
import pytest
from bounds import Bound, exactly
from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from test_edition import MAP

CLAUDE, CUT = ("ro", 9, "claude-chips"), ("ro", 13, "cost-cut")
ORANGE, BLUE = "#d95f0e", "#2c4a68"  # Amazon; no source named


@pytest.fixture(scope="module")
def pictures(two):
    pair = [two.statements.number["ro", 9, fact] for fact in ("chips-deployed", "claude-chips")]
    return {"share": charts.share(*pair)} | {name: getattr(charts, name)(two) for name in ("hero", "told", "timeline")}


def drawn(picture, kind):
    return [artist for artist in picture.figure.findobj(kind) if artist is not picture.figure.patch]


def lines(picture):
    """Where each line of words stands, across and down, and its words."""
    found = []
    for text in drawn(picture, Annotation):
        (x, base), words = text.xy, text.get_text()
        if isinstance(text.xycoords[0], Text):  # it hangs on the one before
            found[-1][2] = words + found[-1][2] if text.get_ha() == "right" else found[-1][2] + words
        else:
            found.append([x, base - charts.BASE * text.get_fontsize(), words])
    return sorted(found, key=lambda line: line[1])


def words(picture, low=0, high=9999):
    """What is written between two heights."""
    return " ".join(text for _, y, text in lines(picture) if low <= y < high).replace(charts.NBSP, " ")


def bars(picture):
    """Height, start, end, fill and colour of each bar, in units."""
    found = []
    for bar in drawn(picture, Rectangle):
        line = "outline" if bar.get_linestyle() == "solid" else "dashed"
        fill = "hatched" if bar.get_hatch() else line if to_hex(bar.get_facecolor()) == "#ffffff" else "solid"
        start, end = bar.get_x(), bar.get_x() + bar.get_width()
        found.append((bar.get_y(), round(start, 2), round(end, 2), fill, to_hex(bar.get_edgecolor())))
    return sorted(found)


def contrast(colour):
    """Contrast with white, as WCAG 2 defines it."""
    parts = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in to_rgb(colour)]
    return 1.05 / (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05)


@pytest.mark.parametrize("name", ["hero", "share", "told", "timeline"])
def test_words_can_be_read(pictures, name):
    picture = pictures[name]
    assert picture.alt.endswith(".") and not re.search(r"\bnan\b|[.;:] ?[.;:]|  |[<>=≥≤→~/]", picture.alt)
    picture.png()
    page, unit = picture.figure.bbox, picture.figure.bbox.width / 329
    texts = [text for text in drawn(picture, Text) if text.get_text().strip()]
    with matplotlib.style.context(["default", charts.STYLE]):
        boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    assert page.height <= 2.1 * page.width and len(boxes) > 10
    assert all(text.get_fontsize() >= 11 and contrast(text.get_color()) >= 4.5 for text in texts)
    assert all(contrast(colour) >= 3 for *_, colour in bars(picture))
    for text, box in boxes:
        assert min(box.x0, box.y0, page.x1 - box.x1, page.y1 - box.y1) >= unit, text
    for (one, a), (other, b) in combinations(boxes, 2):
        across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, down) <= unit / 2, (one, other)


def test_bars_end_at_what_is_stated(pictures):
    """A bar of the share is 313 units long, one of the hero 141: of 1.4 million, of 100%."""
    million = round(8 + 313 * 10 / 14, 2)
    assert [bar[1:4] for bar in bars(pictures["share"])] == [(8, million, "solid"), (million, 321, "hatched")]
    million = round(180 + 141 * 10 / 14, 2)
    assert [bar[1:] for bar in bars(pictures["hero"])] == [
        (180, 321, "solid", ORANGE),
        (180, million, "solid", ORANGE),
        (million, 321, "hatched", ORANGE),
        (180, 200, "solid", BLUE),  # 2 GW
        (202, 222, "solid", BLUE),
        (180, 250.5, "hatched", ORANGE),
        (250.5, 321, "outline", ORANGE),
    ]
    hero, share = pictures["hero"], words(pictures["share"])
    assert "more than 1 million*" in words(hero) and words(hero).count("*") == 4  # one in the title, one in the foot
    assert "1.4 million* Trainium chips deployed, across all three generations. More than" in hero.alt
    assert "more than 71%" in share and "fewer than 400,000 chips" in share
    assert "If 1.4 million is rounded: more than 68.9%, and" in share


def test_marks_stand_at_their_time(pictures):
    timeline = pictures["timeline"]
    years = {int(text.get_text()): text.get_position()[0] for text in timeline.figure.texts if text.get_text() != "//"}
    month = (years[2025] - years[2024]) / 12

    def at(year, months):
        return pytest.approx(years[year] + months * month, abs=0.02)

    assert [*years] == [2015, 2024, 2025, 2026] and years[2026] == at(2025, 12)
    assert [bar[1:4] for bar in bars(timeline)] == [
        (at(2015, 0), at(2015, 1), "solid"),
        (at(2015, 0), at(2015, 12), "hatched"),
        (at(2024, 0), at(2024, 12), "hatched"),
        (at(2025, 0), at(2025, 24), "hatched"),
        (at(2025, 9), at(2025, 12), "hatched"),  # “end of 2025”
        *[(at(2025, 11), at(2025, 12), "dashed")] * 3,
    ]
    assert timeline.alt.count("December, year inferred (ro ") == 3
    assert "Annapurna Labs is bought, January 2015 (ro 25). The same, 2015 (mr 4). Apple" in timeline.alt
    ruled = [(*line.get_xdata(), line.get_marker()) for line in drawn(timeline, Line2D)]
    upright = [start for start, end, _ in ruled if start == end]
    assert all(pytest.approx(x) in upright for x in years.values())
    assert [start for start, _, marker in ruled if marker == ">"] == [at(2025, 9), at(2026, 0)]  # written then or later


def test_who_counts_the_lines_of_the_map_finds_each_statement_at_its_paragraph(pictures, two):
    """A grey line is a paragraph without numbers, a printed number one with them; (S)olid and (H)ollow as in MAP."""
    picture, kinds = pictures["told"], {("solid", ORANGE): "S", ("outline", BLUE): "H"}
    marks = [(y, kinds[fill, colour]) for y, _, _, fill, colour in bars(picture)][2:]  # without those of the legend
    texts = lines(picture)
    numbers = [
        (sign.get_position()[1] - charts.BASE * charts.SIZE + 2.4, sign.get_text()) for sign in picture.figure.texts
    ]
    shown = sorted([*marks, *numbers, *((line.get_ydata()[0], "-") for line in drawn(picture, Line2D))])
    heads = [y for _, y, text in texts if "as lines" in text]
    for (paragraphs, expected), low, high in zip(MAP.items(), heads, [*heads[1:], 9999], strict=True):
        signs = dict(re.findall(r"(\d+)([SH]+)", expected))
        expected = [number + signs[number] if number in signs else "-" for number in map(str, range(1, paragraphs + 1))]
        assert "".join(sign for y, sign in shown if low < y < high) == "".join(expected)
    ends = [y for y, _ in marks[1:]] + [9999]
    for row, (low, _), high in zip(two.statements.itertuples(), marks, ends, strict=True):
        speaker = "" if row.said_by == "narration" else f"{row.who if pd.isna(row.person) else row.person}: "
        assert f"{speaker}{row.number}" in words(picture, low - 3, high - 3)
    assert picture.alt.count("Paragraph 9: ") == 2
    assert words(picture).count("Amazon*: ") == 3 and words(picture).count("*") == 5  # title, foot


def test_the_readers_settings_do_not_show(pictures, two):
    mine = {"font.family": "serif", "font.size": 20, "text.hinting": "none", "hatch.linewidth": 5, "lines.linewidth": 9}
    ours = pictures["hero"].png()
    with matplotlib.rc_context(mine | {"axes.facecolor": "black", "text.color": "red", "text.parse_math": True}):
        assert charts.hero(two).png() == pictures["hero"].png() == ours


def changed(two, table, key, column, value):
    """The data with one cell changed."""
    rows = getattr(two, table).copy()
    rows.at[key, column] = value
    return SimpleNamespace(**vars(two) | {table: rows})


def test_the_first_picture_is_not_drawn_where_its_words_would_be_false(two):
    for change in (
        ("statements", CUT, "said_by", "OpenAI"),
        ("statements", CLAUDE, "number", exactly(1_200_000, "chips")),
        ("statements", ("ro", 9, "chips-deployed"), "number", Bound.stated("more than", 1_400_000, None, "chips")),
        ("statements", ("ro", 8, "openai-capacity"), "number", exactly(Fraction(5, 2), "GW")),
        ("facts", "process-node", "headline", True),
    ):
        with pytest.raises(ValueError, match="the first picture is made for"):
            charts.hero(changed(two, *change))
    with pytest.raises(ValueError, match="two thirds"):
        charts.share(
            replace(exactly(1_600_000, "chips"), step=Fraction(100_000)), two.statements.number["ro", 9, "claude-chips"]
        )


def test_changed_data_changes_words_and_marks(two):
    deployed, claude, cut = two.statements.number[[("ro", 9, "chips-deployed"), CLAUDE, CUT]]
    share = charts.share(deployed, replace(claude, low=Fraction(1_200_000), told=""))
    assert bars(share)[0][2] == round(8 + 313 * 12 / 14, 2) and "more than 85%" in words(share)
    hero = charts.hero(changed(two, "statements", CUT, "number", replace(cut, high=Fraction(40), told="up to 40%")))
    assert bars(hero)[-2][2:4] == (236.4, "hatched") and "up to 40%" in words(hero)  # 180 + 141 * 0.4
