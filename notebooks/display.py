"""How a picture and a table show themselves in a notebook."""

from dataclasses import dataclass
from io import BytesIO

import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

PIXELS = 1200  # across, so that a picture stays sharp on a phone and in print


@dataclass(frozen=True)
class Picture:
    """A drawn figure, its alt text, and the width at which a notebook shows it, in CSS pixels."""

    figure: Figure
    alt: str
    width: int = 420

    def png(self) -> bytes:
        """The picture as a file, the same bytes each time."""
        canvas = FigureCanvasAgg(self.figure)
        self.figure.dpi = PIXELS / self.figure.get_figwidth()
        canvas.draw()
        image = Image.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())).convert("RGB")
        file = BytesIO()
        image.quantize(32, Image.Quantize.FASTOCTREE).save(file, "png")
        return file.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        metadata = {"image/png": {"alt": self.alt, "width": self.width}}
        return {"image/png": self.png(), "text/plain": self.alt}, metadata
