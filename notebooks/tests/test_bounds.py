"""What is computed holds for every value that the statements allow, and what is shown never says more."""

import re
from fractions import Fraction as F  # noqa: N817
from itertools import product

import pytest
from bounds import Bound, exactly

DEPLOYED = Bound.stated("plain", 1_400_000, 1_400_000, "chips", step=F(100_000))
CLAUDE = Bound.stated("more than", 1_000_000, None, "chips")
CAPACITY = Bound.stated("plain", 2, 2, "GW")
CUT = Bound.stated("up to", None, 50, "percent")
MOST = Bound.stated("more than", 50, None, "percent")
ROUNDED = DEPLOYED.if_rounded()


def test_these_are_the_numbers_of_the_data(data):
    said = data.statements.number
    assert [
        said["ro", 9, "chips-deployed"],
        said["ro", 9, "claude-chips"],
        said["ro", 8, "openai-capacity"],
    ] == [DEPLOYED, CLAUDE, CAPACITY]
    assert [said["ro", 13, "cost-cut"], said["ro", 44, "rainier-share"]] == [CUT, MOST]


# What the articles allow, sampled: the part never above its whole, a saving from nothing to one half.
WHOLE = [F(1_400_000)]
AROUND = [F(1_350_000), F(1_395_000), F(1_450_000)]
CHIPS = [F(1_000_000) + F(450_000) * step / 900 + F(1, 1000) for step in range(900)] + [F(1_400_000)]
SAVED = [F(step, 2) for step in range(101)]
MOSTLY = [50 + F(1, 1000) + F(step, 2) for step in range(100)] + [F(100)]
WATTS = F(2 * 10**9)


def parts(wholes):
    return [(part, whole) for part, whole in product(CHIPS, wholes) if part <= whole]


@pytest.mark.parametrize(
    ("result", "reads", "values"),
    [
        (CLAUDE / DEPLOYED, "more than 71%", [100 * part / whole for part, whole in parts(WHOLE)]),
        (DEPLOYED - CLAUDE, "fewer than 400,000 chips", [whole - part for part, whole in parts(WHOLE)]),
        ((DEPLOYED - CLAUDE) / DEPLOYED, "less than 29%", [100 * (whole - p) / whole for p, whole in parts(WHOLE)]),
        (
            MOST.of(CLAUDE.at_most(DEPLOYED)),
            "more than 500,000, at most 1.4 million chips",
            [share * part / 100 for share, (part, _) in product(MOSTLY, parts(WHOLE))],
        ),
        (CAPACITY.times(10**9, "W") / DEPLOYED, "about 1,429 W per chip", [WATTS / whole for whole in WHOLE]),
        (100 - CUT, "at least 50%", [100 - saved for saved in SAVED]),
        (100 / (100 - CUT), "at most 2 times as much", [100 / (100 - saved) for saved in SAVED]),
        (CLAUDE / ROUNDED, "more than 68.9%", [100 * part / whole for part, whole in parts(AROUND)]),
        (ROUNDED - CLAUDE, "fewer than 450,000 chips", [whole - part for part, whole in parts(AROUND)]),
        (
            CAPACITY.times(10**9, "W") / ROUNDED,
            "1,379 to 1,482 W per chip",
            [WATTS / whole for whole in AROUND],
        ),
    ],
)
def test_a_result_holds_for_all_that_is_allowed_and_is_no_wider(result, reads, values):
    assert result.reads(1 if reads.endswith("68.9%") else None) == reads
    for end, included, extreme, sign in (
        (result.low, result.low_included, min(values), 1),
        (result.high, result.high_included, max(values), -1),
    ):
        if end in (None, 0):
            continue  # nothing stated fixes this end
        assert sign * extreme > sign * end or (included and extreme == end)
        assert abs(extreme - end) <= abs(end) / 500  # reached, or come as close to as the samples do


STATED = [
    Bound.stated(*row, "chips")
    for row in (("plain", 8, 8), ("about", 5, 5), ("more than", 6, None), ("up to", None, 7), ("between", 2, 9))
]


@pytest.mark.parametrize(("one", "other"), list(product(STATED, STATED)))
def test_no_value_falls_outside_whatever_the_hedges(one, other):
    def values(bound):
        low, high = bound.low or F(0), bound.high or (bound.low or F(0)) + 20
        ends = [low + F(1, 9)] * (not bound.low_included) + [low] * bound.low_included
        return [*ends, (low + high) / 2, high]

    def made(operation):  # None where it refuses what cannot be; then no pair of values may need it
        try:
            return operation()
        except ValueError:
            return None

    def within(value, result):
        above = result and (result.low is None or value > result.low or (result.low_included and value == result.low))
        return above and (result.high is None or value <= result.high)

    share, rest, limited = made(lambda: one / other), made(lambda: one - other), made(lambda: one.at_most(other))
    for a, b in product(values(one), values(other)):
        assert b == 0 or a > b or within(100 * a / b, share)
        assert a < b or within(a - b, rest)
        assert a > b or within(a, limited)
        assert within(100 - a, 100 - one) and (a == 0 or within(100 / a, 100 / one))
    assert all(result.reads() for result in (share, rest, limited) if result) and (100 / one).reads(1)


@pytest.mark.parametrize("digits", [0, 1, 2])
@pytest.mark.parametrize("value", [F(1, 3), F(200, 7), F(500, 7), F(20_000, 14), F(2_000_000, 3), F(10**10, 7)])
def test_shown_ends_are_rounded_outwards(value, digits):
    def shown(bound):
        number, scale = re.search(r"([\d,.]+) ?(million|billion)?", bound.reads(digits)).groups()
        scale = {None: 1, "million": 10**6, "billion": 10**9}[scale]
        return F(number.replace(",", "")) * scale, F(scale, 10**digits)

    low, step = shown(Bound.stated("more than", value, None, "GW"))
    high, _ = shown(Bound.stated("up to", None, value, "GW"))
    assert low <= value <= high
    assert high - low == step  # and by no more than one step of the last shown decimal


def test_a_stated_number_reads_as_translated_and_a_computed_one_does_not():
    words = {"told": "practically a single line", "printed": "practic o singura linie"}
    line = Bound.stated("about", 1, 1, "lines", **words)
    assert str(line) == "practically a single line"
    assert str(line.times(2, "lines")) == "about 2 lines"
    assert line.times(2, "lines").printed == ""


@pytest.mark.parametrize(
    ("bound", "low", "high", "unit", "reads"),
    [
        ("plain", 1, 1, "nights", "1 night"),
        ("plain", 21, 21, "nights", "21 nights"),
        ("plain", 50 * 10**9, 50 * 10**9, "USD", "50 billion dollars"),
        ("up to", None, 100, "percent", "up to 100%"),
        ("more than", 0, None, "chips", "more than 0 chips"),
        ("plain", "2.125", "2.125", "GW", "2.125 GW"),
        ("plain", 1_234_567, 1_234_567, "chips", "1.234567 million chips"),
        ("order of magnitude", 10**9, None, "USD", "at least 1 billion dollars"),
    ],
)
def test_a_number_without_translation_reads_with_its_hedge(bound, low, high, unit, reads):
    assert str(Bound.stated(bound, low, high, unit)) == reads


def test_about_stays_about_and_units_do_not_mix():
    about = Bound.stated("about", 7, 7, "chips")
    for result in (
        about / DEPLOYED,
        exactly(5, "chips") / about,
        DEPLOYED - about,
        MOST.of(about),
        Bound.stated("about", 50, 50, "percent").of(DEPLOYED),
        CLAUDE.at_most(DEPLOYED - about),
    ):
        assert "about" in result.reads()
    for mixed in (lambda: DEPLOYED - CAPACITY, lambda: CLAUDE.at_most(CAPACITY), lambda: CUT.agrees_with(CAPACITY)):
        with pytest.raises(ValueError, match="cannot be part of"):
            mixed()


def test_what_cannot_be_is_refused_and_what_is_rounded_says_so():
    with pytest.raises(ValueError, match="no number of"):
        Bound.stated("more than", 2_000_000, None, "chips") / DEPLOYED
    assert exactly(F(1, 3), "GW").reads() == "about 0 GW"
    assert (exactly(5, "chips") / exactly(7, "chips")).reads() == "about 71%"
    assert exactly(F(10**7, 7), "GW").reads() == "about 1.43 million GW"
    assert (DEPLOYED - Bound.stated("up to", None, 2_000_000, "chips")).low == 0


@pytest.mark.parametrize(
    ("bound", "reads"),
    [
        (Bound(F(3), F(7), "chips", low_included=False, about=True), "more than about 3, at most about 7 chips"),
        (CLAUDE.at_most(DEPLOYED - exactly(100_000, "chips")), "more than 1 million, at most 1.3 million chips"),
        (CLAUDE.at_most(exactly(2_500_000, "chips") - CLAUDE), "more than 1 million, below 1.5 million chips"),
        (Bound(F(50), F(100), "percent"), "50 to 100%"),
        (100 / Bound(F(0), F(50), "percent"), "at least 2 times as much"),
        (Bound(None, None, "chips"), "anything"),
    ],
)
def test_both_ends_are_told_with_their_hedges(bound, reads):
    assert str(bound) == reads


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        (CLAUDE, exactly(1_000_000, "chips"), "NO"),  # more than a million is not a million
        (CLAUDE, DEPLOYED, "yes"),
        (DEPLOYED, exactly(1_600_000, "chips"), "NO"),
        (CUT, exactly(50, "percent"), "yes"),
        (Bound.stated("about", 7, 7, "chips"), exactly(8, "chips"), "open"),
    ],
)
def test_whether_one_value_can_satisfy_both(one, other, agree):
    assert one.agrees_with(other) == other.agrees_with(one) == agree
