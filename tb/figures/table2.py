"""Table 2 of seed 000: sizes of the seed's designs and of our designs for 16,384 keys."""

from dataclasses import dataclass

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import core_rtlil
from tb.figures.figure import Figure
from tb.rtl.bus.tops import CACHE
from tb.rtl.engine.seed_sizes import PIVOT_SIZES, SIZES

COLUMNS = ("least ALMs", "most ALMs")
ALL_SIZES = SIZES | PIVOT_SIZES


@dataclass(frozen=True, kw_only=True)
class Sizes(Figure):
    """ALMs and RAMs of 36 Kibit, for windows of up to 4,096 values of 64 bits.

    ALMs are summed over the blocks of a design. The least number assumes that two functions share
    an ALM wherever their inputs allow it, and the most that functions never share an ALM. The
    seed's numbers include the connection to its board.
    """

    def predicted(self):
        return [
            {
                "design": name,
                "kernels": size.items.replace("(cpu)", "").replace(",", ""),
                "seed ALMs": size.alm,
                "seed M20K": size.m20k,
            }
            for name, size in ALL_SIZES.items()
        ]

    def measured(self, row):
        source = core_rtlil(ALL_SIZES[row["design"]].design, CACHE)
        report = synthesise(source, "alm", CACHE, by_block=True)
        return dict(zip(COLUMNS, report.alm, strict=True)) | {"RAMs of 36 Kibit": report.bram36}

    def paint(self, canvas, rows):
        axes = canvas.subplots()
        axes.set_title("16,384 keys, windows of up to 4,096")
        axes.set_ylabel("ALMs")
        axes.grid(axis="y", alpha=0.3)
        for shift, column, colour in (
            (-0.27, "seed ALMs", "tab:red"),
            (0.0, "most ALMs", "tab:blue"),
            (0.27, "least ALMs", "tab:cyan"),
        ):
            places = [place + shift for place in range(len(rows))]
            axes.bar(places, [row[column] for row in rows], 0.25, color=colour, label=column)
        labels = [
            f"{row['design'].replace(', ', chr(10))}\n{row['kernels']}".replace(" max", "\nmax")
            for row in rows
        ]
        axes.set_xticks(range(len(rows)), labels)
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.legend()


FIGURE = Sizes(name="table2", inches=(15, 4))
