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
from bounds import exactly
from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from test_edition import MAP

LOOKS = {("#d95f0e", "#d95f0e"): "S", ("#ffffff", "#2c4a68"): "H"}  # fill and edge: Amazon; no source named


@pytest.fixture(scope="module")
def pictures(two):
    pair = [two.statements.number["ro", 9, fact] for fact in ("chips-deployed", "claude-chips")]
    return {"share": charts.share(*pair)} | {name: getattr(charts, name)(two) for name in ("hero", "told", "timeline")}


def contrast(colour):
    """Contrast with white, as WCAG 2 defines it."""
    parts = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in to_rgb(colour)]
    return 1.05 / (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05)


def drawn(picture, kind):
    return [artist for artist in picture.figure.artists if isinstance(artist, kind)]


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
    """Start, end and look of each bar, in units, row by row."""
    rows = {}
    for bar in drawn(picture, Rectangle):
        line = "outline" if bar.get_linestyle() == "solid" else "dashed"
        look = "hatched" if bar.get_hatch() else line if to_hex(bar.get_facecolor()) == "#ffffff" else "solid"
        rows.setdefault(bar.get_y(), []).append((round(bar.get_x(), 2), round(bar.get_x() + bar.get_width(), 2), look))
    return [rows[y] for y in sorted(rows)]


def test_words_can_be_read(pictures):
    for picture in pictures.values():
        assert picture.alt.endswith(".") and not re.search(r"\bnan\b|[.;:] ?[.;:]|  |[<>=≥≤→~/]", picture.alt)
        picture.png()
        page, unit = picture.figure.bbox, picture.figure.bbox.width / 329
        texts = [text for text in picture.figure.findobj(Text) if text.get_text().strip()]
        with matplotlib.style.context(["default", charts.STYLE]):
            boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
        assert page.height <= 2.1 * page.width and len(boxes) > 10
        assert all(text.get_fontsize() >= 11 and contrast(text.get_color()) >= 4.5 for text in texts)
        assert all(contrast(bar.get_edgecolor()) >= 3 for bar in drawn(picture, Rectangle))
        for text, box in boxes:
            assert min(box.x0, box.y0, page.x1 - box.x1, page.y1 - box.y1) >= unit, text
        for (one, a), (other, b) in combinations(boxes, 2):
            across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
            assert min(across, down) <= unit / 2, (one, other)


def test_bars_end_at_what_is_stated(pictures):
    """A bar of the share is 313 units long, one of the hero 141: of 1.4 million, of 100%."""
    hero = words(pictures["hero"])
    million = round(8 + 313 * 10 / 14, 2)
    assert bars(pictures["share"]) == [[(8, million, "solid"), (million, 321, "hatched")]]
    million = round(180 + 141 * 10 / 14, 2)
    chips = [[(180, 321, "solid")], [(180, million, "solid"), (million, 321, "hatched")]]
    gigawatts = [(180, 200, "solid"), (202, 222, "solid")]
    assert bars(pictures["hero"]) == [*chips, gigawatts, [(180, 250.5, "hatched"), (250.5, 321, "outline")]]
    colours = [to_hex(bar.get_edgecolor()) for bar in drawn(pictures["hero"], Rectangle)]
    assert colours == ["#d95f0e"] * 3 + ["#2c4a68"] * 2 + ["#d95f0e"] * 2  # the 2 GW alone name no source
    assert "1.4 million*" in hero and "more than 1 million*" in hero and hero.count("*") == 4  # title and foot too
    assert "1.4 million* Trainium chips deployed, across all three generations. More than" in pictures["hero"].alt
    for told in ("more than 71%", "If 1.4 million is rounded: more than 68.9%, and", "fewer than 400,000 chips"):
        assert told in words(pictures["share"])


def test_marks_stand_at_their_time(pictures):
    timeline = pictures["timeline"]
    years = {int(text.get_text()): text.get_position()[0] for text in timeline.figure.texts if text.get_text() != "//"}
    year = years[2025] - years[2024]

    def across(moment, of):
        return pytest.approx(years[of] + year * (moment - of), abs=0.02)

    assert [*years] == [2015, 2024, 2025, 2026] and years[2026] - years[2025] == pytest.approx(year)
    month, spans = 1 / 12, [(2015, 2015, 2016), (2024, 2024, 2025), (2025, 2025, 2027), (2025, 2025.75, 2026)]
    wanted = [(across(2015, 2015), across(2015 + month, 2015), "solid")]
    wanted += [(across(low, of), across(high, of), "hatched") for of, low, high in spans]
    wanted += [(across(2026 - month, 2025), across(2026, 2025), "dashed")] * 3
    assert [row[0] for row in bars(timeline)] == wanted
    assert timeline.alt.count("December, year inferred (ro ") == 3
    lines = drawn(timeline, Line2D)
    upright = [line.get_xdata()[0] for line in lines if line.get_xdata()[0] == line.get_xdata()[1]]
    assert all(any(x == pytest.approx(line) for line in upright) for x in years.values())
    starts = [line.get_xdata()[0] for line in lines if line.get_marker() == ">"]
    assert starts == [across(2025.75, 2025), across(2026, 2026)]  # “end of 2025”, and 2026


def test_who_counts_the_lines_of_the_map_finds_each_statement_at_its_paragraph(pictures, two):
    bars, ruled = drawn(pictures["told"], Rectangle), drawn(pictures["told"], Line2D)
    looks = [(bar.get_y(), to_hex(bar.get_facecolor()), to_hex(bar.get_edgecolor())) for bar in bars]
    marks = sorted((y, LOOKS[fill, edge]) for y, fill, edge in looks)
    texts = lines(pictures["told"])
    shown = marks[2:] + [(line.get_ydata()[0], "line") for line in ruled]
    beside = [(sign.get_position()[1], sign.get_text()) for sign in pictures["told"].figure.texts]
    shown += [(base - charts.BASE * charts.SIZE + 2.4, paragraph) for base, paragraph in beside]
    heads = [y for _, y, text in texts if "as lines" in text]
    for (paragraphs, expected), low, high in zip(MAP.items(), heads, [*heads[1:], 9999], strict=True):
        count, found = 0, ""
        for what in [what for y, what in sorted(shown) if low < y < high]:
            count += what not in "SH"
            found += {"S": "S", "H": "H", "line": ""}.get(what, f" {count}")
            assert what in ("line", "S", "H", str(count))
        assert (count, found.strip()) == (paragraphs, expected)
    assert pictures["told"].alt.count("Paragraph 9: ") == 2
    for row, (low, _), (high, _) in zip(two.statements.itertuples(), marks[2:], [*marks[3:], (9999, "")], strict=True):
        speaker = "" if row.said_by == "narration" else f"{row.who if pd.isna(row.person) else row.person}: "
        assert f"{speaker}{row.number}" in words(pictures["told"], low - 3, high - 3)
    assert [text[:9] for *_, text in texts if "*" in text][1:-1] == ["Amazon*: "] * 3  # but for the title and the foot


def test_the_readers_settings_do_not_show(pictures, two):
    mine = {"font.family": "serif", "font.size": 20, "text.hinting": "none", "hatch.linewidth": 5, "lines.linewidth": 9}
    ours = pictures["hero"].png()
    with matplotlib.rc_context(mine | {"axes.facecolor": "black", "text.color": "red", "text.parse_math": True}):
        assert charts.hero(two).png() == pictures["hero"].png() == ours


@pytest.mark.parametrize(
    ("table", "key", "column", "value"),
    [
        ("statements", ("ro", 13, "cost-cut"), "said_by", "OpenAI"),
        ("statements", ("ro", 9, "claude-chips"), "number", exactly(1_200_000, "chips")),
        ("facts", "process-node", "headline", True),
    ],
)
def test_the_first_picture_is_not_drawn_where_its_words_would_be_false(two, table, key, column, value):
    rows = getattr(two, table).copy()
    rows.at[key, column] = value
    rows["who"] = rows.said_by if column == "said_by" else rows.get("who")
    with pytest.raises(ValueError, match=r"first picture|several sentences"):
        charts.hero(SimpleNamespace(**vars(two) | {table: rows}))


def test_changed_data_changes_words_and_marks(two):
    rows, row = two.statements.copy(), two.statements.loc[[("ro", 44, "rainier-chips")]].rename({"ro": "xx", 44: 4})
    deployed, claude, cut = rows.number[
        [("ro", 9, "chips-deployed"), ("ro", 9, "claude-chips"), ("ro", 13, "cost-cut")]
    ]
    share = charts.share(deployed, replace(claude, low=Fraction(1_200_000), told=""))
    assert bars(share)[0][0] == (8, round(8 + 313 * 12 / 14, 2), "solid") and "more than 85%" in words(share)
    rows.at[("ro", 13, "cost-cut"), "number"] = replace(cut, high=Fraction(40), told="up to 40%")
    articles = pd.concat([two.articles, two.articles.loc[["mr"]].rename({"mr": "xx"})])
    changed = SimpleNamespace(**vars(two) | {"statements": pd.concat([rows, row]), "articles": articles})
    hero, told = charts.hero(changed), words(charts.told(changed))
    assert bars(hero)[-1][0] == (180, 236.4, "hatched") and "up to 40%" in words(hero)
    assert (
        f"Of {len(rows) + 1} statements of a number" in told
        and f"15 paragraphs as lines: 1 of the {len(rows) + 1}" in told
    )
