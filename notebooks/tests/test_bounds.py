"""What is computed holds for every value that the statements allow, and what is shown never says more."""

from dataclasses import replace
from fractions import Fraction as F  # noqa: N817
from itertools import product

import pytest
from bounds import Bound, exactly

# The numbers of the first picture, and "most".
DEPLOYED = Bound.stated("plain", 1_400_000, 1_400_000, "chips", step=F(100_000))
CLAUDE = Bound.stated("more than", 1_000_000, None, "chips")
WATTS = Bound.stated("plain", 2, 2, "GW").times(10**9, "W")
CUT = Bound.stated("up to", None, 50, "percent")
MOST = Bound.stated("more than", 50, None, "percent")
ROUNDED = DEPLOYED.if_rounded()
ABOUT = Bound.stated("about", 7, 7, "chips")

# Each hedge, and which numbers it allows; those that are tried are the ends, a little above each, and a very large one.
ALLOWED = {
    Bound.stated("plain", 8, 8, "chips"): lambda number: number == 8,
    Bound.stated("about", 5, 5, "chips"): lambda number: number == 5,
    Bound.stated("more than", 6, None, "chips"): lambda number: number > 6,
    Bound.stated("up to", None, 7, "chips"): lambda number: number <= 7,
    Bound.stated("between", 2, 9, "chips"): lambda number: 2 <= number <= 9,
}
LITTLE, LARGE = F(1, 10**6), F(10**6)
TRIED = [end + more for end in (0, 2, 5, 6, 7, 8, 9, 100) for more in (F(0), LITTLE)] + [LARGE]


@pytest.mark.parametrize(("one", "other"), list(product(ALLOWED, ALLOWED)))
def test_a_result_holds_for_all_that_is_allowed_and_is_no_wider(one, other):
    """A part is never above its whole; where no number is left, the calculation is refused."""
    pairs = [(a, b) for a, b in product(TRIED, TRIED) if ALLOWED[one](a) and ALLOWED[other](b)]
    percent = replace(one, unit="percent")
    both, one_alone = one.about or other.about, one.about
    for operation, values, about in (
        (lambda: one / other, [100 * a / b for a, b in pairs if b and a <= b], both),
        (lambda: one - other, [a - b for a, b in pairs if a >= b], both),
        (lambda: one.at_most(other), [a for a, b in pairs if a <= b], both),
        (lambda: percent.of(other), [a * b / 100 for a, b in pairs if a <= 100], both),
        (lambda: replace(one, unit="W") / other, [a / b for a, b in pairs if b], both),
        (lambda: 100 - one, [100 - a for a, _ in pairs if a <= 100], one_alone),
        (lambda: 100 / one, [100 / a for a, _ in pairs if a], one_alone),
        (lambda: one.times(3, "chips"), [3 * a for a, _ in pairs], one_alone),
    ):
        if not values:
            with pytest.raises(ValueError, match="no number of"):
                operation()
            continue
        result = operation()
        assert result.about == about
        for end, included, extreme, outwards in (
            (result.low, result.low_included, min(values), -1),
            (result.high, result.high_included, max(values), 1),
        ):
            if end is not None:
                assert outwards * extreme < outwards * end or (included and extreme == end)
                assert abs(extreme - end) < F(1, 1000)  # reached, or come as close to as the tried numbers do


@pytest.mark.parametrize(
    ("value", "digits", "below", "above"),
    [
        (F(200, 7), 0, "28", "29"),  # 28.571...
        (F(200, 7), 1, "28.5", "28.6"),
        (F(2_000_000, 3), None, "666,666", "666,667"),
        (F(10**10, 7), None, "1.42 billion", "1.43 billion"),  # 1.4285... billion
    ],
)
def test_shown_ends_are_rounded_outwards(value, digits, below, above):
    assert Bound(value, None, "GW").reads(digits) == f"at least {below} GW"
    assert Bound(None, value, "GW").reads(digits) == f"up to {above} GW"


def test_a_stated_number_reads_as_translated_and_a_computed_one_does_not():
    words = {"told": "practically a single line", "printed": "practic o singura linie"}
    line = Bound.stated("about", 1, 1, "lines", **words)
    assert str(line) == "practically a single line" and line == Bound.stated("about", 1, 1, "lines")
    assert str(line.times(2, "lines")) == "about 2 lines" and line.times(2, "lines").printed == ""


@pytest.mark.parametrize(
    ("bound", "reads"),
    [
        # stated
        (Bound.stated("plain", 1, 1, "nights"), "1 night"),
        (Bound.stated("plain", 21, 21, "nights"), "21 nights"),
        (Bound.stated("up to", None, 100, "percent"), "up to 100%"),
        (Bound.stated("plain", 1_234_567, 1_234_567, "chips"), "1.234567 million chips"),
        (Bound.stated("order of magnitude", 10**9, None, "USD"), "at least 1 billion dollars"),
        # computed: 1 / 1.4 is 0.7142...; 2,000 by 1.4, 1.45 and 1.35 is 1,428.5..., 1,379.3... and 1,481.4...
        (CLAUDE / DEPLOYED, "more than 71%"),
        (DEPLOYED - CLAUDE, "fewer than 400,000 chips"),
        ((DEPLOYED - CLAUDE) / DEPLOYED, "less than 29%"),
        (MOST.of(CLAUDE.at_most(DEPLOYED)), "more than 500,000, at most 1.4 million chips"),
        (WATTS / DEPLOYED, "about 1,429 W per chip"),
        (100 - CUT, "at least 50%"),
        (MOST.of(exactly(0, "chips")), "0 chips"),  # most of nothing is nothing
        (100 / (100 - CUT), "at most 2 times as much"),
        (WATTS / ROUNDED, "1,379 to 1,482 W per chip"),
        # both ends
        (MOST.at_most(exactly(90, "percent")), "more than 50, at most 90%"),
        (CLAUDE.at_most(exactly(2_500_000, "chips") - CLAUDE), "more than 1 million, below 1.5 million chips"),
        (Bound(F(50), F(100), "percent"), "50 to 100%"),
        (100 / Bound(F(0), F(50), "percent"), "at least 2 times as much"),
        (Bound(None, None, "chips"), "anything"),
        # "about", stated or because of rounding
        (CLAUDE - ABOUT, "more than about 999,993 chips"),
        (ROUNDED - ABOUT, "about 1.349993 million to 1.449993 million chips"),
        (ABOUT / CLAUDE, "less than about 0.0007%"),
        (MOST.of(ABOUT), "more than about 3.5, at most about 7 chips"),
        (exactly(5, "chips") / exactly(7, "chips"), "about 71%"),
        (exactly(F(10**7, 7), "GW"), "about 1.43 million GW"),
    ],
)
def test_a_number_reads_with_its_hedges(bound, reads):
    assert str(bound) == reads


@pytest.mark.parametrize("mixed", [Bound.__sub__, Bound.at_most, Bound.conflict_with])
def test_units_do_not_mix(mixed):
    with pytest.raises(ValueError, match="cannot be part of"):
        mixed(CLAUDE, CUT)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (CLAUDE, exactly(1_000_000, "chips"), "Conflicts with"),  # more than a million is not a million
        (CLAUDE, DEPLOYED, ""),
        (DEPLOYED, exactly(1_600_000, "chips"), "Conflicts with"),
        (CUT, exactly(50, "percent"), ""),
        (ABOUT, exactly(8, "chips"), "May conflict with"),
    ],
)
def test_whether_one_value_can_satisfy_both(one, other, told):
    assert one.conflict_with(other) == other.conflict_with(one) == told
