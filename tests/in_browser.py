"""A page of HTML in a real browser: what a script finds in it, and every address that it asked for."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

_PROBE = """<pre id="probe"></pre><script>
addEventListener("load", () => {
  const found = (() => {CODE})();
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  document.getElementById("probe").textContent = JSON.stringify({ ...found, loaded });
});
</script>"""


def probed(browser: str, page: Path, code: str, folder: Path) -> dict[str, Any]:
    """What `code`, the body of a function, gives in the page; `loaded` and `asked` are addresses."""
    target = folder / "probed.html"
    text = page.read_text(encoding="utf-8")
    target.write_text(text.replace("</body>", f"{_PROBE.replace('CODE', code)}</body>"), encoding="utf-8")
    log = folder / "net.json"
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            f"--user-data-dir={folder / 'profile'}",
            f"--log-net-log={log}",
            "--dump-dom",
            target.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    found = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2000:]
    asked = set(re.findall(r'"url":"(\w+:[^"]*)"', log.read_text(encoding="utf-8", errors="replace")))
    # The browser's own errands.
    own = re.compile(r"https?://([\w-]+\.)*(gvt1|google|googleapis|gstatic)\.com/")
    loaded = [url for url in asked if url.startswith(("http", "ws", "ftp")) and not own.match(url)]
    return {**json.loads(unescape(found[1])), "asked": loaded}
