"use strict";
(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const make = (tag, text, cls) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (cls) node.className = cls;
    return node;
  };
  let level = 2, shown = [], at = 0, rows = new Map(), file = -1, lineNodes = [];

  // The answer, for every kind of verdict.
  $("headline").textContent = page.headline;
  $("headline").className = page.kind;
  for (const sentence of page.summary) $("summary").append(make("li", sentence));
  const list = (title, items) => {
    if (!items.length) return;
    $("notes").append(make("h2", title));
    const ul = make("ul");
    for (const item of items) ul.append(make("li", item));
    $("notes").append(ul);
  };
  const placed = (note) => note.place ? `${note.text} (${note.place})` : note.text;
  list("Details", page.details.map(placed));
  list("Blocked threads", page.blocked.map(placed));
  list("Also violated", page.others);
  list("Warnings", page.warnings);
  for (const [title, text] of [["Output", page.output], ["Standard error", page.errors]]) {
    if (text) $("notes").append(make("h2", title), make("pre", text));
  }
  for (const [name, value] of [["engine", page.engine], ...page.statistics]) {
    const row = make("tr");
    row.append(make("td", name), make("td", String(value)));
    $("statistics").tBodies[0].append(row);
  }
  if (!page.steps.length) return;
  $("main").hidden = false;

  // State after step `end`: replayed from the start, so that stepping backwards needs no undo.
  const stateAt = (end) => {
    const state = { values: new Map(), locks: page.threads.map(() => []), stacks: page.threads.map((t) => [t.function]) };
    for (let i = 0; i <= end; i++) {
      const step = page.steps[i], effect = step.effect;
      if (!effect) continue;
      const locks = state.locks[step.thread], stack = state.stacks[step.thread];
      switch (effect.kind) {
        case "value": case "read": case "input":
          if (effect.value !== "?") state.values.set(effect.name, { value: effect.value, step: i, read: effect.kind === "read" });
          break;
        case "hold": locks.push(effect.object); break;
        case "unhold": { const k = locks.lastIndexOf(effect.object); if (k >= 0) locks.splice(k, 1); break; }
        case "call": stack.push(effect.function); break;
        case "return": if (stack.length > 1) stack.pop(); break;
        case "end": stack.length = 0; break;
      }
    }
    return state;
  };

  const where = (step) => step.file === null ? "" : `${page.files[step.file].name.split("/").pop()}:${step.line}`;

  const buildTable = () => {
    const head = make("tr");
    head.append(make("th", "#"));
    page.threads.forEach((t) => { const th = make("th", `${t.path} ${t.function}`); th.scope = "col"; head.append(th); });
    $("lanes").tHead.replaceChildren(head);
    const body = $("lanes").tBodies[0];
    body.replaceChildren();
    rows = new Map();
    let last = -1;
    shown.forEach((index, position) => {
      const step = page.steps[index], row = make("tr");
      row.id = `step${index}`;
      row.append(make("td", String(index + 1), "n"));
      page.threads.forEach((_, lane) => {
        const cell = make("td", undefined, lane === step.thread ? "lane active" : "lane");
        if (lane === step.thread) cell.append(make("span", step.text), " ", make("span", where(step), "where"));
        row.append(cell);
      });
      if (last >= 0 && last !== step.thread) row.classList.add("switch");
      if (step.effect && step.effect.kind === "fail") row.classList.add("fail");
      last = step.thread;
      row.addEventListener("click", () => go(position));
      rows.set(index, row);
      body.append(row);
    });
  };

  const choose = (least) => {
    const current = shown[at];
    level = least;
    shown = [];
    page.steps.forEach((step, i) => { if (step.weight >= level) shown.push(i); });
    if (!shown.length) shown = page.steps.map((_, i) => i);
    buildTable();
    $("slider").max = String(shown.length - 1);
    const near = shown.findIndex((i) => i >= current);
    go(current === undefined ? 0 : near < 0 ? shown.length - 1 : near);
    search();
  };

  const showSource = (step) => {
    if (step.file === null) return;
    if (file !== step.file) {
      file = step.file;
      $("file").textContent = page.files[file].name;
      lineNodes = page.files[file].lines.map((text, i) => {
        const li = make("li");
        li.append(make("span", String(i + 1), "no"), text);
        return li;
      });
      $("lines").replaceChildren(...lineNodes);
    }
    for (const li of lineNodes) li.classList.remove("now");
    const line = lineNodes[step.line - 1];
    if (line) {
      line.classList.add("now");
      // Scrolls the pane alone: the page stays where the reader is.
      const pane = $("source");
      pane.scrollTop = line.offsetTop - pane.offsetTop - pane.clientHeight / 2;
    }
  };

  const fill = (table, entries) => {
    const body = table.tBodies[0];
    body.replaceChildren();
    for (const [name, value, changed] of entries) {
      const row = make("tr", undefined, changed ? "changed" : "");
      row.append(make("td", name), make("td", value));
      body.append(row);
    }
    if (!entries.length) { const row = make("tr"); row.append(make("td", "none")); body.append(row); }
  };

  const go = (position) => {
    at = Math.max(0, Math.min(shown.length - 1, position));
    const index = shown[at], step = page.steps[index], thread = page.threads[step.thread];
    for (const row of rows.values()) row.classList.remove("now", "source");
    const row = rows.get(index);
    row.classList.add("now");
    if (step.from !== undefined && rows.get(step.from)) rows.get(step.from).classList.add("source");
    const pane = $("diagram");
    pane.scrollTop = row.offsetTop - pane.clientHeight / 2;
    $("slider").value = String(at);
    $("slider").setAttribute("aria-valuetext", `step ${index + 1}: ${step.text}`);
    $("position").textContent = `step ${index + 1} of ${page.steps.length}`;
    $("now").textContent = `Thread ${thread.path} (${thread.function}), ${where(step)}: ${step.text}`;
    showSource(step);
    const state = stateAt(index);
    fill($("values"), [...state.values].map(([name, v]) => [name, v.value, v.step === index]));
    fill($("locks"), page.threads.map((t, i) => [t.path, state.locks[i].join(", ")]).filter((e) => e[1]));
    fill($("stacks"), page.threads.map((t, i) => [t.path, state.stacks[i].join(" > ")]).filter((e) => e[1]));
    history.replaceState(null, "", `#step${index + 1}`);
  };

  const search = () => {
    const wanted = $("find").value.trim().toLowerCase();
    let first = -1;
    shown.forEach((index, position) => {
      const step = page.steps[index];
      const hit = wanted !== "" && `${step.text} ${step.function} ${where(step)}`.toLowerCase().includes(wanted);
      rows.get(index).classList.toggle("found", hit);
      if (hit && first < 0 && position >= at) first = position;
    });
    return first;
  };

  $("first").addEventListener("click", () => go(0));
  $("previous").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  $("last").addEventListener("click", () => go(shown.length - 1));
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("level").addEventListener("change", () => choose(Number($("level").value)));
  $("find").addEventListener("input", search);
  $("find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const from = at;
    at = Math.min(at + 1, shown.length - 1);
    let hit = search();
    if (hit < 0) { at = 0; hit = search(); }
    at = from;
    if (hit >= 0) go(hit);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input[type=search], select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1,
      PageDown: at + 10, PageUp: at - 10 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    go(moves[event.key]);
  });

  // Read before the first step is shown: showing a step changes the address.
  const wanted = /^#step(\d+)$/.exec(location.hash);
  choose(2);
  go(wanted ? shown.findIndex((i) => i >= Number(wanted[1]) - 1) : shown.length - 1);
})();
