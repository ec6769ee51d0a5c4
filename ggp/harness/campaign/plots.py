"""The plots of a campaign's page, as Bokeh takes them: seconds, qualities and sizes, to hover over and zoom.

Figures go into the page as data, and Bokeh's script with them. What people choose there (two solvers to hold
against each other, which ones are faint) the page's own script does, by the names given here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

COLOURS = ("#3466a5", "#b3352c", "#2f7a3d", "#8a5aa8", "#b8741a", "#1f8a8a", "#9c4a6e", "#6d6878")
DASHES = ("solid", "dashed", "dotted", "dotdash")  # where there are more entrants than colours
BEYOND = 1.5  # of the limit: where a case stands that was not solved
SOFT = "#7d7888"  # to be read on a light page and on a dark one


def figures(found: Mapping[str, Any]) -> dict[str, str]:
    """Bokeh's data of each plot, by the id of the element that it goes into; `found` is of `page.data_of`.

    Each as text: Bokeh knows what is referred to by the order of the keys, which templates may change.
    """
    from bokeh.core.types import ID
    from bokeh.embed import json_item

    if not found["rows"]:
        return {}
    drawn = {"cactus": cactus(found), "scatter": scatter(found)}
    if found["quality"]:
        drawn["course"] = course(found)
    if any(found["sizes"].values()):
        drawn["sizes"] = sizes(found)
    return {name: json.dumps(json_item(figure, ID(name))) for name, figure in drawn.items()}


def script() -> Markup:
    """Bokeh's own script, 1.3 MB: its figures without its widgets."""
    from bokeh.resources import Resources

    text = "\n".join(Resources(mode="inline", components=["bokeh"], log_level="warn").js_raw)
    return Markup(text.replace("</script", "<\\/script"))


def cactus(found: Mapping[str, Any]) -> Any:
    """How many cases are solved within so many seconds: a line of steps for each entrant."""
    most = max(1, len(found["cases"]))
    figure = plot("seconds", "cases solved", (least(found), found["limit"]), (0, most))
    low = least(found)
    for name, times in found["cactus"].items():
        points = [(max(low, time), number + 1) for number, time in enumerate(times)]
        words = f"{name}: {len(times)} of {most}"
        steps(figure, name, [(low, 0), *points, (found["limit"], len(times))], words, found)
    return figure


def course(found: Mapping[str, Any]) -> Any:
    """The mean quality of the plans in hand after so many seconds."""
    first = [time for rises in found["quality"].values() for time, _ in rises if time > 0]
    low = max(1e-4, min([least(found), *first]))
    figure = plot("seconds", "quality", (low, found["limit"]), (0, 1.02))
    for name, rises in found["quality"].items():
        end = rises[-1][1] if rises else 0.0
        points = [(low, 0.0), *((max(low, time), share) for time, share in rises), (found["limit"], end)]
        steps(figure, name, points, f"{name}: {end:.2f} in the end", found)
    return figure


def scatter(found: Mapping[str, Any]) -> Any:
    """The seconds of two entrants, a dot for each case; the page's script says of which two."""
    ends = (least(found), BEYOND * found["limit"])
    figure = plot("seconds of the one", "seconds of the other", ends, ends, both=True, tools="tap")
    figure.line(ends, ends, line_color=SOFT, line_alpha=0.4)
    dots: dict[str, Any] = {"x": [], "y": [], "words": []}
    figure.scatter("x", "y", source=source(dots, "cases"), size=10, color=COLOURS[0], alpha=0.6, name="dots")
    return figure


def sizes(found: Mapping[str, Any]) -> Any:
    """The seconds of the runs that were solved by the variables of their encodings."""
    counts = [count for points in found["sizes"].values() for count, *_ in points]
    across = (min(counts), max(*counts, 10 * min(counts)))
    low = least(found)
    figure = plot("variables", "seconds", across, (low, found["limit"]), both=True)
    for name, points in found["sizes"].items():
        words = [f"{level}, {name}: {count} variables, {seconds} s" for count, seconds, level in points]
        dots = {"x": [one[0] for one in points], "y": [max(low, one[1]) for one in points], "words": words}
        colour = colour_of(found, name)
        figure.scatter(
            "x", "y", source=source(dots), size=8, color=colour, alpha=0.6, muted_alpha=0.08, name=name
        )
    return figure


def plot(
    across: str,
    upwards: str,
    x: tuple[float, float],
    y: tuple[float, float],
    *,
    both: bool = False,
    tools: str = "",
) -> Any:
    """An empty figure whose axis across, or `both`, has logarithms; what is hovered over says its words."""
    from bokeh.models import HoverTool, PrintfTickFormatter, Range1d
    from bokeh.plotting import figure

    made = figure(
        x_axis_type="log",
        y_axis_type="log" if both else "linear",
        x_axis_label=across,
        y_axis_label=upwards,
        x_range=Range1d(start=x[0], end=x[1]),
        y_range=Range1d(start=y[0], end=y[1]),
        height=320,
        sizing_mode="stretch_width",
        tools=["box_zoom", "wheel_zoom", "pan", "reset", *filter(None, [tools])],
        active_drag="box_zoom",
        toolbar_location="above",
        background_fill_color=None,
        border_fill_color=None,
    )
    made.add_tools(HoverTool(tooltips="@words"))
    made.toolbar.logo = None
    for axis in made.axis:
        axis.axis_label_text_color = axis.major_label_text_color = axis.axis_line_color = SOFT
        axis.major_tick_line_color = axis.minor_tick_line_color = SOFT
        axis.axis_label_text_font_style = "normal"
    for axis in made.axis if both else made.xaxis:
        axis.formatter = PrintfTickFormatter(format="%g")
    made.grid.grid_line_color = SOFT
    made.grid.grid_line_alpha = 0.2
    return made


def steps(
    figure: Any, name: str, points: Sequence[tuple[float, float]], words: str, found: Mapping[str, Any]
) -> None:
    """A line of an entrant that rises at each of these points."""
    line = {"x": [x for x, _ in points], "y": [y for _, y in points], "words": [words] * len(points)}
    turn = list(found["cactus"]).index(name) // len(COLOURS)
    style = {"color": colour_of(found, name), "line_dash": DASHES[turn % len(DASHES)], "muted_alpha": 0.12}
    figure.step("x", "y", source=source(line), mode="after", width=2, name=name, **style)


def source(columns: Mapping[str, Any], name: str | None = None) -> Any:
    """Columns as Bokeh takes them."""
    from bokeh.models import ColumnDataSource

    return ColumnDataSource(dict(columns), name=name)


def least(found: Mapping[str, Any]) -> float:
    """Where an axis of seconds begins."""
    times: list[float] = [time for own in found["times"].values() for time in own if time]
    return max(1e-4, min([float(found["limit"]) / 10, *times]))


def colour_of(found: Mapping[str, Any], name: str) -> str:
    """The colour of an entrant, the same in every plot."""
    return COLOURS[list(found["cactus"]).index(name) % len(COLOURS)]
