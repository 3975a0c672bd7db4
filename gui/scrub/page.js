"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const scrub = by("scrub");
  const last = data.positions.length - 1;
  let now = -1;

  const words = data.words;
  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  const known = (value) => (value === null ? "?" : String(value));
  const band = ({ lo, hi }) => {
    if (lo === hi) return known(lo);
    if (lo === null) return "≤ " + hi;
    return hi === null ? "≥ " + lo : lo + "–" + hi;
  };
  const epochs = (list) => (list === null ? "?" : list.map(([epoch, start]) => `(${epoch}, ${start})`).join(" ") || words.none);
  const member = (value) => (value === null ? "?" : value ? words.in : words.out);

  // The state of a run at a position, as `tidegauge state --json` gives a partition.
  const state = (place, run = 0) => {
    const at = data.positions[place].runs[run];
    return { ...data.heads[at.head], replicas: at.replicas.map((number) => data.replicas[number]) };
  };

  // The last position at which a run has at most this cursor, or which has at most this place.
  const lastWith = (reached) => {
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (reached(data.positions[middle])) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const placeOf = (cursor, run = 0) => lastWith((at) => at.runs[run].cursor <= cursor);
  const placeOfStop = (stop) => lastWith((at) => at.place <= stop);

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const rows = (place, run) => state(place, run).replicas.map((one) => [
    one.broker, words.roles[one.role] || one.role, known(one.epoch), member(one.in_isr), band(one.log_start), band(one.leo), band(one.hw), epochs(one.epochs),
  ]);

  const showRun = (run) => {
    const place = data.positions[now];
    const at = place.runs[run];
    const head = data.heads[at.head];
    const box = by(`run-${run}`);
    const part = (name) => box.querySelector(name);
    const before = now > 0 ? data.positions[now - 1].runs[run] : null;
    box.classList.toggle("still", data.runs.length > 1 && before !== null && before.cursor === at.cursor);
    part(".what").textContent = data.texts[at.what];
    part(".why").replaceChildren(...at.why.map((number) => element("p", data.texts[number])));
    const leader = head.leader === null ? words.unknown : head.leader < 0 ? words.leaderless : say(words.leader, head);
    const isr = head.isr === null ? "?" : head.isr.join(", ");
    const partition = `${head.topic}-${head.partition}`;
    part("caption").textContent = say(words.caption, { partition, leader, epoch: known(head.leader_epoch), isr });
    const old = now > 0 ? rows(now - 1, run) : null;
    part(".replicas").replaceChildren(...rows(now, run).map((cells, row) => {
      const line = document.createElement("tr");
      if (place.differing && place.differing.includes(cells[0])) line.className = "differs";
      cells.forEach((text, column) => {
        const made = element(column ? "td" : "th", String(text), old && old[row][column] !== text ? "changed" : "");
        if (!column) made.scope = "row";
        line.append(made);
      });
      return line;
    }));
    part(".evidence").replaceChildren(...at.evidence.map(([file, line, text]) => {
      const made = element("li", data.texts[file] + (line === null ? "" : ":" + line));
      if (data.texts[text]) made.append(element("code", data.texts[text]));
      return made;
    }));
  };

  const show = (place) => {
    const next = Math.min(Math.max(place, 0), last);
    if (next === now) return;
    now = next;
    const at = data.positions[now];
    const alone = data.runs.length === 1;
    const what = data.texts[at.runs[0].what];
    const label = alone ? "" : data.texts[at.label];
    const where = alone ? `${at.place} / ${data.runs[0].ranks}  ${at.runs[0].at}` : say(words.stop, { place: at.place, last: data.positions[last].place, label });
    scrub.value = String(now);
    scrub.setAttribute("aria-valuetext", alone ? say(words.position, { what, place: at.place, last: data.runs[0].ranks }) : where);
    by("where").textContent = where;
    const difference = alone ? "" : data.texts[at.difference];
    by("difference").textContent = difference;
    by("difference").hidden = !difference;
    data.runs.forEach((_, run) => showRun(run));
    const cursor = by("cursor");
    cursor.hidden = false;
    cursor.style.left = (100 * at.x) / data.width + "%";
    cursor.style.top = (100 * data.top) / data.height + "%";
    cursor.style.height = (100 * (data.bottom - data.top)) / data.height + "%";
  };

  const atPoint = (event) => {
    const box = by("picture").getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * data.width;
    let place = 0;
    while (place < last && data.positions[place + 1].x <= x) place += 1;
    show(place);
  };

  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
  document.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(now + step);
  });
  scrub.max = String(last);
  scrub.disabled = false;
  scrub.addEventListener("input", () => show(Number(scrub.value)));
  by("back").addEventListener("click", () => show(now - 1));
  by("on").addEventListener("click", () => show(now + 1));
  by("picture").addEventListener("pointerdown", (event) => {
    by("picture").setPointerCapture(event.pointerId);
    atPoint(event);
  });
  by("picture").addEventListener("pointermove", (event) => {
    if (event.buttons) atPoint(event);
  });

  const root = document.documentElement;
  root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  by("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  });

  window.tidegauge = { data, state, show, placeOf, placeOfStop };
  const asked = /^#at=(\d+)$/.exec(location.hash);
  const asksFor = data.runs.length === 1 ? placeOf : placeOfStop;
  show(asked ? asksFor(Number(asked[1])) : last);
})();
