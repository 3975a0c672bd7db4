#!/bin/sh
# Make .venv, and on Debian as root install the system packages it needs. Called by make, with what is to be done:
#
#   .ci/bootstrap.sh run      what the program needs
#   .ci/bootstrap.sh test     that, and what its tests need
#
# pip's own configuration and environment are used as they are. A second call takes a fraction of a second: the
# stamp in .venv holds a checksum of everything that the environment was made from.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$root"
purpose=${1:-run}
case $purpose in run | test) ;; *) echo "bootstrap: run or test, not \"$purpose\"" >&2 && exit 2 ;; esac

say() { printf 'tidegauge: %s\n' "$*" >&2; }
stop() { say "$*" && exit 1; }

# ---- Debian -------------------------------------------------------------------------------------------------
# What Qt loads without a display, what its window needs under X11, and for tests an X server without a screen.
qt_packages="libgl1 libegl1 libxkbcommon0 libfontconfig1 libfreetype6 libdbus-1-3 libglib2.0-0 libx11-6
    libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
    libxcb-xkb1 libxkbcommon-x11-0"
[ "$purpose" = test ] && qt_packages="$qt_packages xvfb xauth"
# shellcheck disable=SC2086 # a list of words, one line
qt_packages=$(echo $qt_packages)

on_debian() { [ -f /etc/debian_version ] && command -v apt-get >/dev/null; }
may_install() { on_debian && [ "$(id -u)" -eq 0 ]; }

# What apt-get says is shown only when it fails.
apt() {
    log=$(mktemp)
    DEBIAN_FRONTEND=noninteractive apt-get "$@" </dev/null >"$log" 2>&1 || {
        cat "$log" >&2
        rm -f "$log"
        stop "apt-get $1 failed; the lines above say why."
    }
    rm -f "$log"
}

packages_updated=no
update_packages() {
    [ $packages_updated = yes ] || apt update -qq
    packages_updated=yes
}

install_packages() {
    say "installing $*"
    update_packages
    # A slim image has no folder for manual pages, and Java's package wants to write there.
    mkdir -p /usr/share/man/man1
    apt install -y -qq --no-install-recommends "$@"
}

# Since the change to 64-bit times some libraries carry it in their name.
is_installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" "$1t64" 2>/dev/null | grep -qx installed; }

missing_packages() {
    for package in $qt_packages; do
        is_installed "$package" || printf '%s ' "$package"
    done
}

# ---- Python -------------------------------------------------------------------------------------------------
is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in ${PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14 python; do
        if is_new_enough "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# A whole .venv starts, has pip, and was not copied here from another folder, to which its scripts would still point.
venv_is_whole() {
    [ -x .venv/bin/python ] && is_new_enough .venv/bin/python &&
        { [ ! -e .venv/made-in ] || [ "$(cat .venv/made-in)" = "$root" ]; } &&
        .venv/bin/python -m pip --version >/dev/null 2>&1
}

make_venv() {
    rm -rf .venv
    if python=$(find_python); then
        if ! "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 && may_install; then
            case $python in
                /usr/bin/python3.*) install_packages "$(basename "$python")-venv" ;;
                *) install_packages python3-venv ;;
            esac
        fi
        if "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
            say "making .venv with $("$python" --version)"
            "$python" -m venv .venv && return
            rm -rf .venv
            stop "$python -m venv .venv failed; the lines above say why."
        fi
        if command -v uv >/dev/null; then
            uv venv --quiet --seed --python "$python" .venv && return
        fi
        stop "$python has no venv: install it (Debian, Ubuntu: sudo apt-get install python3-venv) or uv, then make again."
    fi
    stop "needs Python 3.11 or later: install it (Debian, Ubuntu: sudo apt-get install python3 python3-venv), then make again."
}

install_python_packages() {
    wanted=.
    [ "$purpose" = test ] && wanted='.[dev]'
    say "installing Python packages, some minutes the first time"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --use-pep517 \
        --constraint constraints.txt --editable "$wanted" </dev/null >&2 ||
        stop "pip could not install what is needed; the lines above say why."
}

# ---- Java, for Spark ----------------------------------------------------------------------------------------
has_java() {
    java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    major=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
    [ "${major:-0}" -ge 17 ]
}

provide_java() {
    has_java && return
    if may_install; then
        update_packages
        java_package=openjdk-17-jre-headless
        apt-cache show $java_package >/dev/null 2>&1 || java_package=default-jre-headless
        install_packages $java_package
        has_java && return
    fi
    advice="needs Java 17 or later (Debian, Ubuntu: sudo apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17)"
    # The window opens without Java; only the pipeline and its tests start it.
    [ "$purpose" = run ] && say "tidegauge process $advice" && return
    stop "the tests of the pipeline need it: tidegauge $advice, then make again."
}

provide_qt_libraries() {
    on_debian || return 0
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    if may_install; then
        # shellcheck disable=SC2086 # a list of words
        install_packages $missing
    else
        say "if the window does not open: sudo apt-get install $missing"
    fi
}

check_qt() {
    error=$(.venv/bin/python -c 'import PySide6.QtWidgets, PySide6.QtSvg' 2>&1) && return
    stop "Qt does not load ($(echo "$error" | tail -n 1)); Debian, Ubuntu: sudo apt-get install $qt_packages"
}

# The pages that scrub are tried in a real browser. Where there is none, these tests are skipped, and say so.
provide_browser() {
    [ "$purpose" = test ] && may_install || return 0
    for browser in chromium chromium-browser google-chrome; do
        command -v $browser >/dev/null && return 0
    done
    try_package chromium "the tests in a browser will be skipped"
}

# Tests stop a process at each of its system calls, by tracing it; else from inside of it, at most of them.
provide_tracer() {
    [ "$purpose" = test ] && may_install || return 0
    command -v strace >/dev/null || try_package strace "power losses will not be tested"
}

# The tests read the window as a screen reader does: over a bus of their own.
provide_reader_bus() {
    [ "$purpose" = test ] && may_install || return 0
    command -v dbus-daemon >/dev/null || try_package dbus "the window will not be read as a screen reader does"
    is_installed at-spi2-core || try_package at-spi2-core "the window will not be read as a screen reader does"
}

# What the tests can do without: where it cannot be installed, a line says what that means.
try_package() {
    say "installing $1"
    log=$(mktemp)
    {
        { [ $packages_updated = yes ] || apt-get update -qq; } &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"
    } </dev/null >"$log" 2>&1 ||
        say "no $1 could be installed ($(tail -n 1 "$log")): $2"
    rm -f "$log"
}

# ---- all of it ----------------------------------------------------------------------------------------------
checksum() { { cat pyproject.toml constraints.txt .ci/bootstrap.sh && echo "$root"; } | cksum; }

is_stamped() {
    stamp=$(checksum)
    [ "$(cat ".venv/made-for-$purpose" 2>/dev/null)" = "$stamp" ] ||
        { [ "$purpose" = run ] && [ "$(cat .venv/made-for-test 2>/dev/null)" = "$stamp" ]; }
}

if is_stamped && venv_is_whole; then
    exit 0
fi
provide_qt_libraries
provide_java
provide_browser
provide_reader_bus
provide_tracer
venv_is_whole || make_venv
rm -f .venv/made-for-*
echo "$root" >.venv/made-in
install_python_packages
check_qt
checksum >".venv/made-for-$purpose"
