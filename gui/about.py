"""What the program is, which versions it runs on, whose work it is made of."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.crash import versions
from gui.i18n import tr
from gui.panels.parts import label


class AboutBox(QDialog):
    """Name, versions, licences. Made anew each time it is asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """`parent` is the window."""
        super().__init__(parent)
        self.setWindowTitle(tr("About Tidegauge"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(24, 20, 24, 16)
        lines.setSpacing(10)
        lines.addWidget(label("Tidegauge", "headline"))
        lines.addWidget(label(tr("A visual debugger for Kafka replication."), wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setColumnStretch(1, 1)
        for row, (what, number) in enumerate(versions()):
            grid.addWidget(label(tr(what), "secondary"), row, 0)
            grid.addWidget(label(tr(number), "value", wrap=True, select=True), row, 1)
        lines.addLayout(grid)
        lines.addWidget(
            label(
                tr(
                    "Apache License 2.0. Inter, JetBrains Mono and Noto Sans SC are under the SIL Open Font "
                    "License 1.1. Apache Kafka is a trademark of the Apache Software Foundation."
                ),
                "secondary",
                wrap=True,
            )
        )
        buttons = QHBoxLayout()
        copy = QPushButton(tr("Copy versions"))
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        close = QPushButton(tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        lines.addLayout(buttons)

    def text(self) -> str:
        """The versions, as Copy gives them."""
        return "\n".join(f"{what}: {number}" for what, number in versions())
