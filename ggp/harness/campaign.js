/* The page of a campaign: a table of records that is sorted and filtered, and four plots. After page.js. */

const COLOURS = ["#3466a5", "#b3352c", "#2f7a3d", "#8a5aa8", "#b8741a", "#1f8a8a", "#9c4a6e", "#6d6878"];
const AT_ONCE = 100;

/* The numbers of the rows that hold every word of a text. */
function matching(texts, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return [...texts.keys()].filter((index) => words.every((word) => texts[index].includes(word)));
}

/* Where a value stands on an axis of logarithms between two lengths. */
function scale(least, most, from, to) {
  const low = Math.log10(least);
  const span = Math.log10(most) - low || 1;
  return (value) => from + ((Math.log10(Math.max(value, least)) - low) / span) * (to - from);
}

/* The powers of ten between two values. */
function tens(least, most) {
  const first = Math.ceil(Math.log10(least) - 1e-9);
  const last = Math.floor(Math.log10(most) + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => 10 ** (first + index));
}

function setUpRecords(found) {
  const table = document.getElementById("runs");
  const filter = document.getElementById("filter");
  const more = document.getElementById("more");
  const texts = found.rows.map((row) => row.join(" ").toLowerCase());
  let order = [...found.rows.keys()];
  let shown = AT_ONCE;

  function row(index) {
    const line = document.createElement("tr");
    if (found.rows[index].includes("wrong")) line.className = "wrong";
    found.rows[index].forEach((value, column) => {
      const cell = line.insertCell();
      cell.textContent = value ?? "";
      cell.dataset.head = found.heads[column];
      if (found.numbers[column]) cell.className = "number";
    });
    return line;
  }

  function show() {
    const fitting = new Set(matching(texts, filter.value));
    const rows = order.filter((index) => fitting.has(index));
    table.tBodies[0].replaceChildren(...rows.slice(0, shown).map(row));
    document.getElementById("shown").textContent = `${Math.min(shown, rows.length)} of ${rows.length} shown`;
    more.hidden = rows.length <= shown;
  }

  found.heads.forEach((head, column) => {
    const cell = document.createElement("th");
    const button = document.createElement("button");
    cell.scope = "col";
    cell.setAttribute("aria-sort", "none");
    button.type = "button";
    button.textContent = head;
    if (found.numbers[column]) cell.className = "number";
    button.addEventListener("click", () => {
      const descending = cell.getAttribute("aria-sort") === "ascending";
      const values = found.rows.map((values) => String(values[column] ?? ""));
      order = sorted(values, found.numbers[column], descending);
      table.tHead.querySelectorAll("th").forEach((other) => other.setAttribute("aria-sort", "none"));
      cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
      show();
    });
    cell.append(button);
    table.tHead.rows[0].append(cell);
  });
  filter.addEventListener("input", () => {
    shown = AT_ONCE;
    show();
  });
  more.addEventListener("click", () => {
    shown += 5 * AT_ONCE;
    show();
  });
  show();
}

/* --- plots ------------------------------------------------------------------------------------------- */

const LEFT = 50, RIGHT = 455, TOP = 10, BOTTOM = 290;

function draw(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function least(found) {
  const times = Object.values(found.times).flat().filter((value) => value !== null && value > 0);
  return Math.max(1e-4, Math.min(found.limit / 10, ...times));
}

/* The two axes of a plot, with the powers of ten written below the one across. */
function drawAxes(picture, low, high, across, unit) {
  picture.append(draw("path", { class: "axis", d: `M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}` }));
  tens(low, high).forEach((value) => {
    const text = `${Number(value.toPrecision(1)).toLocaleString("en")}${unit}`;
    picture.append(draw("text", { x: across(value), y: BOTTOM + 16, "text-anchor": "middle" }, text));
  });
}

/* The colour of an entrant, the same in every plot. */
function colourOf(found, name) {
  return COLOURS[Object.keys(found.cactus).indexOf(name) % COLOURS.length];
}

/* A line of steps from the left border to the right one. */
function stepped(name, points, across, up, colour, words) {
  const steps = points.map(([time, value]) => `H${across(time).toFixed(1)}V${up(value).toFixed(1)}`).join("");
  const line = draw("path", { class: "line", stroke: colour, "data-of": name, d: `M${LEFT} ${BOTTOM}${steps}H${RIGHT}` });
  line.append(draw("title", {}, words));
  return line;
}

function setUpCactus(found) {
  const picture = document.getElementById("cactus");
  const legend = document.getElementById("legend");
  const low = least(found);
  const across = scale(low, found.limit, LEFT, RIGHT);
  const most = Math.max(1, found.cases.length);
  const up = (count) => BOTTOM - (count / most) * (BOTTOM - TOP);
  drawAxes(picture, low, found.limit, across, " s");
  [0, most].forEach((value) => picture.append(draw("text", { x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, value)));
  Object.entries(found.cactus).forEach(([name, times]) => {
    const colour = colourOf(found, name);
    const points = times.map((time, index) => [time, index + 1]);
    picture.append(stepped(name, points, across, up, colour, `${name}: ${times.length} of ${most}`));
    const item = document.createElement("li");
    const button = document.createElement("button");
    const mark = document.createElement("i");
    mark.style.background = colour;
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(mark, `${name}: ${times.length}`);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      const own = [...document.querySelectorAll("[data-of]")].filter((one) => one.dataset.of === name);
      own.forEach((one) => one.classList.toggle("faint", !on));
    });
    item.append(button);
    legend.append(item);
  });
}

function setUpScatter(found) {
  const picture = document.getElementById("scatter");
  const choices = ["one", "other"].map((name) => document.getElementById(name));
  const low = least(found);
  const across = scale(low, found.limit * 1.5, LEFT, RIGHT);
  const up = scale(low, found.limit * 1.5, BOTTOM, TOP);
  choices.forEach((choice, number) => {
    choice.append(...found.entrants.map((name) => new Option(name, name)));
    choice.selectedIndex = Math.min(number, found.entrants.length - 1);
    choice.addEventListener("change", show);
  });

  function show() {
    const [one, other] = choices.map((choice) => choice.value);
    picture.replaceChildren(
      draw("path", { class: "axis", d: `M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}M${LEFT} ${BOTTOM}L${RIGHT} ${TOP}` }),
      ...tens(low, found.limit).flatMap((value) => [
        draw("text", { x: across(value), y: BOTTOM + 16, "text-anchor": "middle" }, Number(value.toPrecision(1))),
        draw("text", { x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, Number(value.toPrecision(1))),
      ]),
    );
    const said = (value) => (value === null ? "not solved" : `${value.toPrecision(3)} s`);
    found.cases.forEach((name, index) => {
      const pair = [found.times[one]?.[index] ?? null, found.times[other]?.[index] ?? null];
      const [x, y] = pair.map((value) => value ?? found.limit * 1.5);
      const words = `${name}: ${one} ${said(pair[0])}, ${other} ${said(pair[1])}`;
      const dot = draw("circle", { cx: across(x), cy: up(y), r: 5 });
      dot.append(draw("title", {}, words));
      dot.addEventListener("click", () => (document.getElementById("dot").textContent = words));
      picture.append(dot);
    });
  }
  show();
}

function setUpCourse(found) {
  const picture = document.getElementById("course");
  const first = Object.values(found.quality).flat().map(([time]) => time).filter((time) => time > 0);
  const low = Math.max(1e-4, Math.min(least(found), ...first));
  const across = scale(low, found.limit, LEFT, RIGHT);
  const up = (quality) => BOTTOM - quality * (BOTTOM - TOP);
  drawAxes(picture, low, found.limit, across, " s");
  [0, 1].forEach((value) => picture.append(draw("text", { x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, value)));
  Object.entries(found.quality).forEach(([name, steps]) => {
    const end = steps.length ? steps[steps.length - 1][1] : 0;
    picture.append(stepped(name, steps, across, up, colourOf(found, name), `${name}: ${end.toFixed(2)} in the end`));
  });
}

function setUpSizes(found) {
  const picture = document.getElementById("sizes");
  const all = Object.values(found.sizes).flat();
  picture.closest("figure").hidden = all.length === 0;
  if (!all.length) return;
  const low = least(found);
  const [few, many] = [Math.min(...all.map((one) => one[0])), Math.max(...all.map((one) => one[0]))];
  const across = scale(few, Math.max(many, 10 * few), LEFT, RIGHT);
  const up = scale(low, found.limit, BOTTOM, TOP);
  drawAxes(picture, few, Math.max(many, 10 * few), across, "");
  tens(low, found.limit).forEach((value) => {
    picture.append(draw("text", { x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, Number(value.toPrecision(1))));
  });
  Object.entries(found.sizes).forEach(([name, points]) => points.forEach(([variables, seconds, level]) => {
    const dot = draw("circle", { cx: across(variables), cy: up(seconds), r: 4, "data-of": name });
    dot.style.fill = colourOf(found, name);
    dot.append(draw("title", {}, `${level}, ${name}: ${variables} variables, ${seconds} s`));
    picture.append(dot);
  }));
}

if (typeof document !== "undefined") {
  const found = JSON.parse(document.getElementById("campaign").textContent);
  setUpRecords(found);
  if (found.rows.length) {
    setUpCactus(found);
    setUpScatter(found);
    setUpCourse(found);
    setUpSizes(found);
  }
}
if (typeof module !== "undefined") module.exports = { ...module.exports, matching, scale, tens };
