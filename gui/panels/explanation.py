"""What the inspector shows, as values: sections of sentences and facts, and small tables."""

from dataclasses import dataclass

from gui.panels.x_ray import XRayShown


@dataclass(frozen=True, slots=True)
class Section:
    """One thing that is told: of a run in a comparison (`badge`), or of the whole."""

    title: str
    badge: str = ""
    aside: str = ""
    sentences: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    rule: str = ""
    certainty: str = ""
    run: int = 0
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A small table: the same question of every run."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def differs(self, row: int) -> bool:
        """Whether the runs differ in a row."""
        return len(set(self.rows[row][1:])) > 1


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that the inspector shows. `head` and `where` are its first line."""

    head: str
    where: str
    sections: tuple[Section, ...]
    tables: tuple[Table, ...] = ()
    evidence: tuple[tuple[int, int], ...] = ()
    """(run, seq), strongest first"""
    x_rays: tuple[XRayShown, ...] = ()
    """Of each cut that is told"""

    def text(self) -> str:
        """Everything as plain text, as Copy gives it."""
        lines = [f"{self.head}, {self.where}"]
        for section in self.sections:
            lines += ["", " · ".join(part for part in (section.badge, section.title, section.aside) if part)]
            lines += section.sentences
            lines += [f"{label}: {value}" for label, value in section.facts]
            lines += [line for line in (section.rule, section.certainty) if line]
        for shown in self.x_rays:
            lines += shown.lines()
        for table in self.tables:
            lines += ["", "\t".join((table.title, *table.head)), *("\t".join(row) for row in table.rows)]
        return "\n".join(lines)
