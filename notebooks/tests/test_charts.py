"""What is drawn can be read: inside the picture, over nothing else, large and dark enough, and without colour."""

from itertools import combinations

import charts
import matplotlib
from matplotlib.colors import to_rgb
from matplotlib.text import Text

PHONE = 343  # pixels: the width of a picture on a small phone


def luminance(colour):
    """Relative luminance of a colour as WCAG 2 defines it."""
    channels = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in to_rgb(colour)]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), channels, strict=True))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_is_inside_the_picture_and_over_no_other_text(pictures):
    assert len(pictures) == 6
    for cell, chart in pictures.items():
        with matplotlib.style.context(["default", charts.STYLE]):
            renderer = matplotlib.backends.backend_agg.FigureCanvasAgg(chart.figure).get_renderer()
            texts = [text for text in chart.figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
            boxes = [text.get_window_extent(renderer) for text in texts]
        for text, box in zip(texts, boxes, strict=True):
            page = chart.figure.bbox
            inside = box.x0 >= 4 and box.y0 >= 4 and box.x1 <= page.x1 - 4 and box.y1 <= page.y1 - 4
            assert inside, (cell, text.get_text())
            assert text.get_fontsize() * PHONE / charts.WIDTH >= 11, (cell, text.get_text())
            assert contrast(text.get_color(), charts.GROUND) >= 4.5, (cell, text.get_text())
        for (one, a), (other, b) in combinations(zip(texts, boxes, strict=True), 2):
            across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
            assert across <= 1 or down <= 1, (cell, one.get_text(), other.get_text())


def test_marks_tell_apart_in_grey():
    assert min(contrast(colour, charts.GROUND) for colour in (charts.ACCENT, charts.GREY, charts.INK)) >= 4.5
    drawn = {}
    for kind in charts.KINDS:
        figure, axes = charts._canvas("", "", "", 40)
        charts._mark(axes, 20, 20, kind)
        canvas = matplotlib.backends.backend_agg.FigureCanvasAgg(figure)
        canvas.draw()
        drawn[kind] = bytes(canvas.buffer_rgba())[1::4]  # the green channel stands for grey
    ink = min(sum(value < 200 for value in pixels) for pixels in drawn.values())
    assert drawn.pop("between") == drawn["up to"]  # both are all that is allowed
    for one, other in combinations(drawn, 2):
        unlike = sum(abs(a - b) > 60 for a, b in zip(drawn[one], drawn[other], strict=True))
        assert unlike > ink / 3, (one, other)


def test_marks_stand_for_what_is_stated(pictures, data):
    def boxes(cell):
        return [box for box in pictures[cell].figure.axes[0].get_children() if type(box).__name__ == "Rectangle"][:-1]

    hatched = [bool(box.get_hatch()) for box in boxes("chips-picture")]
    assert hatched.count(False) == 100 and hatched.count(True) == 40  # 1 and 1.4 million in squares of 10,000
    spans = data.statements.bound.isin(["up to", "between"]).sum()
    assert sum(bool(box.get_hatch()) for box in boxes("voices-picture")) == 2 * spans  # who says it, and where
    _, sure, open_ = (box.get_width() for box in boxes("cost-picture"))
    assert abs(sure - open_) < 2  # 0 to 50 and 50 to 100
    bars, months = sorted(box.get_height() for box in boxes("dates-picture")), bars_in_months(data)
    assert len(bars) == len(months)
    assert all(abs(bar / bars[-1] - month / months[-1]) < 0.01 for bar, month in zip(bars, months, strict=True))


def bars_in_months(data):
    """How many months each span covers, a bar for each span and kind of year, in order of length."""
    spans = {(row.earliest, row.latest, row.year_from) for row in data.events.dropna(subset="earliest").itertuples()}
    return sorted((int(b[:4]) - int(a[:4])) * 12 + int(b[5:] or 12) - int(a[5:] or 1) + 1 for a, b, _ in spans)


def test_the_same_bytes_each_time(pictures):
    for chart in pictures.values():
        assert chart.saved("png") == chart.saved("png") and chart.saved("svg") == chart.saved("svg")
