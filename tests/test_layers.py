import subprocess
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
OURS = ("core", "db", "gui", "importers", "spark")


def test_the_contracts_of_pyproject_hold() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS, "--no-cache", "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


def test_core_needs_nothing_but_the_standard_library_and_numpy() -> None:
    """But for the parser of the Markdown that lessons are written in (docs/adr/0020)."""
    parsers = {("core.teaching.markdown", "markdown_it")}
    graph = grimp.build_graph(*OURS, include_external_packages=True, cache_dir=None)
    allowed = sys.stdlib_module_names | {"core", "numpy"}

    strangers = {
        f"{module} imports {imported}"
        for module in graph.modules
        if module == "core" or module.startswith("core.")
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.split(".")[0] not in allowed and (module, imported.split(".")[0]) not in parsers
    }

    assert strangers == set()


def test_no_modules_of_gui_import_each_other_in_a_circle() -> None:
    """Imports for types alone count: what knows another only there knows it, too."""
    graph = grimp.build_graph("gui", cache_dir=None)
    left = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}

    # Who imports none of those that are left is in no circle among them.
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in free}

    assert left == {}
