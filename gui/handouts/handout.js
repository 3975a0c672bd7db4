"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { words, lesson } = data;
  const results = new Map();
  // By step, the tries before the one that stands, or before a question that waits once more.
  const earlier = new Map();
  const hints = new Map();
  let asked_at = performance.now();
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const section = (step) => document.getElementById(`step-${step}`);
  const nothing = { mark: "skipped", share: 0 };

  // As core/teaching/answers.py judges: a value within the bounds of the evidence is right.
  const judge = (question, given) => {
    if (given === null) return nothing;
    const yes = { mark: "right", share: 1 };
    const no = { mark: "wrong", share: 0 };
    if (question.members) {
      const hits = given.filter((one) => question.members.includes(one)).length;
      const extra = given.length - hits;
      if (hits === question.members.length && extra === 0) return yes;
      const share = (hits - extra) / Math.max(question.members.length, 1);
      return share > 0 ? { mark: "partly", share } : no;
    }
    if (question.order) {
      const kept = question.before.every(([one, two]) => given.indexOf(one) < given.indexOf(two));
      return kept && new Set(given).size === question.order.length ? yes : no;
    }
    const low = question.lo === null || given >= question.lo;
    const high = question.hi === null || given <= question.hi;
    return low && high ? yes : no;
  };

  const number = (input) => (input.value === "" || !input.validity.valid ? null : Number(input.value));

  // What stands in the controls; null while there is no answer.
  const given_of = (question) => {
    const root = section(question.step);
    if (question.control === "number") return number(root.querySelector("input"));
    if (question.control === "one") {
      const chosen = root.querySelector("input:checked");
      return chosen ? Number(chosen.value) : null;
    }
    if (question.control === "several") return all(root, "input:checked").map((one) => Number(one.value));
    if (question.control === "range") {
      const [first, last] = all(root, "input").map(number);
      if (first === null) return [];
      return Array.from({ length: Math.max((last ?? first) - first + 1, 0) }, (_, at) => first + at);
    }
    const places = all(root, "select").map((one) => Number(one.value) - 1);
    if (places.includes(-1) || new Set(places).size < places.length) return null;
    return places.map((_, at) => places.indexOf(at));
  };

  const ranges = (offsets) => {
    const found = [];
    for (const offset of [...offsets].sort((one, two) => one - two)) {
      const last = found[found.length - 1];
      if (last && last[1] === offset - 1) last[1] = offset;
      else found.push([offset, offset]);
    }
    return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  };

  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const in_words = (question, given) => {
    if (given === null) return "";
    if (!Array.isArray(given)) return question.labels[given] ?? `${given}`;
    if (!given.length) return words.nothing;
    const parts = question.kind === "lost" ? ranges(given) : given.map((one) => question.labels[one]);
    return parts.reduce((head, last) => fill(words.listing, { head, last }));
  };

  const before = (step) => earlier.get(step) ?? [];
  const tries = (step) => [...before(step), ...(results.has(step) ? [results.get(step)] : [])];
  const points = (one) => one.share * (one.hints || one.number > 1 ? data.after_hint : 1);
  const best = (step) => Math.max(...tries(step).map(points));

  const settle = (question, given) => {
    const root = section(question.step);
    const row = { ...judge(question, given), given: in_words(question, given), hints: hints.get(question.step) ?? 0 };
    row.seconds = (performance.now() - asked_at) / 1000;
    row.number = before(question.step).length + 1;
    if (data.practice && row.number === 1 && (row.mark === "wrong" || row.mark === "partly")) {
      earlier.set(question.step, [row]);
      ask_again(question);
      return;
    }
    results.set(question.step, row);
    for (const control of all(root, "fieldset input, fieldset select, fieldset button")) control.disabled = true;
    root.querySelector(".verdict").textContent = words.marks[row.mark];
    root.querySelector(".yours").textContent = row.given || words.none;
    root.querySelector(".reveal").hidden = false;
    open();
    root.querySelector(".verdict").focus();
  };

  const ask_again = (question) => {
    const root = section(question.step);
    asked_at = performance.now();
    for (const control of all(root, "fieldset input, fieldset select, fieldset button")) control.disabled = false;
    for (const box of all(root, "input:checked")) box.checked = false;
    for (const field of all(root, 'input[type="number"]')) field.value = "";
    for (const place of all(root, "select")) place.value = "0";
    const again = root.querySelector(".again");
    again.textContent = fill(words.again, { number: before(question.step).length + 1 });
    again.hidden = false;
    root.querySelector("fieldset").dispatchEvent(new Event("change"));
  };

  // What was missed is asked once more; the tries so far are kept.
  const practise = () => {
    const missed = data.questions.filter((one) => results.get(one.step).mark !== "right");
    for (const question of missed) {
      const root = section(question.step);
      earlier.set(question.step, tries(question.step));
      results.delete(question.step);
      hints.set(question.step, 0);
      for (const text of all(root, ".hint-text")) text.hidden = true;
      root.querySelector(".reveal").hidden = true;
      ask_again(question);
    }
    open();
    section(missed[0].step).scrollIntoView();
  };

  // What comes after a question is shown once it is answered or skipped.
  const open = () => {
    asked_at = performance.now();
    const waits = data.questions.find((one) => !results.has(one.step));
    for (const one of all(document, ".step")) one.hidden = Boolean(waits) && Number(one.dataset.step) > waits.step;
    document.getElementById("more").hidden = !waits;
    const grade = document.getElementById("grade");
    if (!grade) return;
    grade.hidden = Boolean(waits);
    if (waits) return;
    const rows = data.questions.map((one) => [one, results.get(one.step)]);
    const right = rows.filter(([, row]) => row.mark === "right").length;
    const sum = rows.reduce((so_far, [one]) => so_far + best(one.step), 0);
    document.getElementById("practise").hidden = right === rows.length;
    const values = { points: general(sum), right, count: rows.length };
    document.getElementById("score").textContent = fill(words.score, values);
    document.getElementById("marks").replaceChildren(
      ...rows.flatMap(([one]) => tries(one.step).map((row) => [one, row])).map(([one, row]) => {
        const line = document.createElement("tr");
        for (const text of [one.question, row.number, row.given || words.none, words.marks[row.mark]]) {
          line.appendChild(document.createElement("td")).textContent = text;
        }
        return line;
      })
    );
  };

  const general = (value) => `${Number(value.toPrecision(6))}`;
  const rows_of = () => data.questions.map((one) => ({ ...one, ...results.get(one.step) }));
  const tries_of = () => data.questions.flatMap((one) => tries(one.step).map((row) => ({ ...one, ...row })));
  const sum_of = () => data.questions.reduce((sum, one) => sum + best(one.step), 0);
  const learner = () => document.getElementById("learner").value.trim();

  const as_csv = () => {
    const now = new Date().toISOString();
    const cell = (value) => {
      const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const head = [learner(), lesson.id, lesson.title, lesson.language, lesson.digest, now];
    const lines = tries_of().map((one) => [
      ...head, one.step, one.kind, one.question, one.number, one.given, one.mark,
      general(points(one)), one.hints, one.seconds.toFixed(1),
    ]);
    return [data.columns, ...lines].map((line) => `${line.map(cell).join(",")}\n`).join("");
  };

  const as_md = () => {
    const cell = (value) => `${value}`.replace(/[\\|<`*_[#]/g, "\\$&").replace(/\s+/g, " ");
    const table = [words.heads, words.heads.map(() => "---"), ...tries_of().map((one) => [
      one.step, one.question, one.number, one.given || words.none, words.marks[one.mark], general(points(one)), one.hints,
      one.seconds.toFixed(0),
    ].map(cell))];
    const facts = [learner() && cell(learner()), document.getElementById("score").textContent, new Date().toISOString()];
    return [
      `# ${cell(lesson.title)}`, "", ...facts.filter(Boolean).map((line) => `${line}  `),
      `\`${lesson.id}\`, SHA-256 \`${lesson.digest}\``, "",
      ...table.map((line) => `| ${line.join(" | ")} |`), "",
    ].join("\n");
  };

  const as_json = () => JSON.stringify({
    schema: 1, lesson: lesson.id, title: lesson.title, language: lesson.language, digest: lesson.digest,
    finished_ns: Date.now() * 1e6, learner: learner(),
    answered: rows_of().map((one) => ({
      step: one.step, kind: one.kind, question: one.question, given: one.given, mark: one.mark,
      points: points(one), hints: one.hints, seconds: one.seconds,
      earlier: before(one.step).map((row) => ({
        given: row.given, mark: row.mark, points: points(row), hints: row.hints, seconds: row.seconds,
      })),
    })),
    points: sum_of(),
  });

  const as_xapi = () => {
    const timestamp = new Date().toISOString();
    const account = { homePage: "urn:tidegauge", name: learner() || "anonymous" };
    const actor = { objectType: "Agent", account };
    const verb = (name) => ({ id: `${data.verbs}${name}`, display: { en: name } });
    const activity = (behind, name) => (
      { id: `${data.activity}${lesson.id}${behind}`, definition: { name: { [lesson.language]: name } } }
    );
    const statements = tries_of().map((one) => ({
      actor, verb: verb("answered"), object: activity(`:${one.step}`, one.question), timestamp,
      result: {
        response: one.given, success: one.mark === "right",
        score: { raw: points(one), max: 1, scaled: points(one) }, duration: `PT${one.seconds.toFixed(1)}S`,
      },
    }));
    const raw = sum_of();
    const score = { raw, max: data.questions.length, scaled: raw / data.questions.length };
    const result = { completion: true, score };
    return JSON.stringify([...statements, { actor, verb: verb("completed"), object: activity("", lesson.title), result, timestamp }], null, 1);
  };

  const makers = { csv: [as_csv, "text/csv"], md: [as_md, "text/markdown"], json: [as_json, "application/json"], xapi: [as_xapi, "application/json"] };

  const save = (kind) => {
    const [make, type] = makers[kind];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([make()], { type }));
    link.download = `${lesson.id}.${kind === "xapi" ? "xapi.json" : kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  for (const question of data.questions) {
    const root = section(question.step);
    const place = root.querySelector(".place");
    const hint = root.querySelector(".hint");
    const look = () => { place.disabled = given_of(question) === null; };
    root.querySelector("fieldset").addEventListener("input", look);
    root.querySelector("fieldset").addEventListener("change", look);
    place.addEventListener("click", () => settle(question, given_of(question)));
    root.querySelector(".skip").addEventListener("click", () => settle(question, null));
    hint?.addEventListener("click", () => {
      const texts = all(root, ".hint-text");
      const shown = (hints.get(question.step) ?? 0) + 1;
      hints.set(question.step, shown);
      texts[shown - 1].hidden = false;
      hint.disabled = shown >= texts.length;
    });
    look();
  }
  document.getElementById("practise")?.addEventListener("click", practise);
  for (const button of all(document, "[data-save]")) {
    button.addEventListener("click", () => save(button.dataset.save));
  }
  open();
  window.tidegauge = { data, judge, results, tries, as_csv, as_md, as_json, as_xapi };
})();
