"""The bootstrap script, before machines made of shell scripts: no root, no packages, our own Python."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ("basename", "cat", "cksum", "dirname", "grep", "head", "mkdir", "rm", "sed", "sh", "tail")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="make and sh are not there on Windows")

# Stands for Python: writes down what it was called with, and makes a .venv that holds itself.
PYTHON = """#!/bin/sh
echo "$*" >>"{log}"
case "$*" in
    *version_info*) exit {old} ;;
    *ensurepip*) exit {no_venv} ;;
    "-m venv .venv") mkdir -p .venv/bin && cat "$0" >.venv/bin/python && /bin/chmod +x .venv/bin/python ;;
    *PySide6*) exit {no_qt} ;;
esac
"""


class Machine:
    """A folder with the script, and a search path with nothing on it but what is put there."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.path = folder / "bin"
        self.log = folder / "python.log"
        (self.project / ".ci").mkdir(parents=True)
        self.path.mkdir()
        for name in ("pyproject.toml", "constraints.txt", ".ci/bootstrap.sh"):
            shutil.copy(ROOT / name, self.project / name)
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found, tool
            (self.path / tool).symlink_to(found)
        self.put("id", "#!/bin/sh\necho 1000\n")
        self.put("java", "#!/bin/sh\necho 'openjdk version \"21.0.1\" 2023-10-17' >&2\n")

    def put(self, name: str, text: str) -> None:
        (self.path / name).write_text(text, encoding="utf-8")
        (self.path / name).chmod(0o755)

    def put_python(self, *, old: bool = False, no_venv: bool = False, no_qt: bool = False) -> None:
        text = PYTHON.format(log=self.log, old=int(old), no_venv=int(no_venv), no_qt=int(no_qt))
        self.put("python3", text)

    def bootstrap(self, purpose: str = "run") -> tuple[int, list[str]]:
        run = subprocess.run(
            [self.project / ".ci" / "bootstrap.sh", purpose],
            env={"PATH": str(self.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.stdout == ""
        return run.returncode, run.stderr.splitlines()

    def pip_installs(self) -> list[str]:
        return [line for line in self.log.read_text(encoding="utf-8").splitlines() if "pip install" in line]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path.resolve())


def test_without_a_new_enough_python_one_line_says_what_to_install(machine: Machine) -> None:
    machine.put_python(old=True)

    code, lines = machine.bootstrap()

    assert code == 1
    assert len(lines) == 1
    assert "needs Python 3.11 or later" in lines[0]


def test_without_venv_one_line_says_what_to_install(machine: Machine) -> None:
    machine.put_python(no_venv=True)

    code, lines = machine.bootstrap()

    assert code == 1
    assert len(lines) == 1
    assert "sudo apt-get install python3-venv" in lines[0]


def test_an_old_java_stops_the_tests_but_not_the_window(machine: Machine) -> None:
    machine.put_python()
    machine.put("java", "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")

    assert machine.bootstrap("run")[0] == 0
    code, lines = machine.bootstrap("test")

    assert code == 1
    assert "needs Java 17 or later" in lines[-1]


def test_a_qt_that_does_not_load_names_the_packages_and_is_not_taken_for_done(machine: Machine) -> None:
    machine.put_python(no_qt=True)

    first, second = machine.bootstrap(), machine.bootstrap()

    assert (first[0], second[0]) == (1, 1)
    assert "sudo apt-get install libgl1 libegl1" in first[1][-1]


def test_a_second_start_installs_nothing_and_says_nothing(machine: Machine) -> None:
    machine.put_python()
    assert machine.bootstrap("test")[0] == 0

    assert machine.bootstrap("test") == (0, [])
    assert machine.bootstrap("run") == (0, [])
    (install,) = machine.pip_installs()
    assert "--constraint constraints.txt --editable .[dev]" in install


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt", ".ci/bootstrap.sh"])
def test_a_change_of_what_it_is_made_from_installs_again(machine: Machine, name: str) -> None:
    machine.put_python()
    assert machine.bootstrap()[0] == 0
    changed = machine.project / name
    changed.write_text(changed.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")

    assert machine.bootstrap()[0] == 0
    assert len(machine.pip_installs()) == 2


def test_a_half_made_environment_is_made_anew(machine: Machine) -> None:
    machine.put_python()
    assert machine.bootstrap()[0] == 0
    (machine.project / ".venv" / "bin" / "python").unlink()
    (machine.project / ".venv" / "rubbish").touch()

    assert machine.bootstrap()[0] == 0
    assert not (machine.project / ".venv" / "rubbish").exists()
    assert len(machine.pip_installs()) == 2


def test_an_environment_that_was_copied_with_its_folder_is_made_anew(machine: Machine) -> None:
    machine.put_python()
    assert machine.bootstrap()[0] == 0
    (machine.project / ".venv" / "rubbish").touch()
    machine.project = machine.project.rename(machine.project.with_name("moved"))

    assert machine.bootstrap()[0] == 0
    assert not (machine.project / ".venv" / "rubbish").exists()


@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="packages are installed on Debian only")
@pytest.mark.parametrize("fails", [False, True])
def test_as_root_what_some_tests_need_is_installed_for_tests_alone(machine: Machine, *, fails: bool) -> None:
    machine.put_python()
    mktemp = shutil.which("mktemp")
    assert mktemp
    (machine.path / "mktemp").symlink_to(mktemp)
    machine.put("id", "#!/bin/sh\necho 0\n")
    machine.put("dpkg-query", "#!/bin/sh\necho installed\n")
    machine.put("chromium", "#!/bin/sh\n")
    asked = machine.log.with_name("apt.log")
    machine.put(
        "apt-get",
        f'#!/bin/sh\necho "$*" >>"{asked}"\n'
        f'[ "$1" = update ] || [ {int(fails)} = 0 ] || ! echo "no network"\n',
    )

    assert machine.bootstrap("run")[0] == 0
    assert not asked.exists()
    code, lines = machine.bootstrap("test")

    assert code == 0
    wanted = asked.read_text(encoding="utf-8").splitlines()
    for package, told in (
        ("dbus", "the window will not be read as a screen reader does"),
        ("strace", "power losses will not be tested"),
    ):
        assert sum(line.endswith(f"install-recommends {package}") for line in wanted) == 1
        said = f"tidegauge: no {package} could be installed (no network): {told}"
        assert (said in lines) is fails
