/* The page of a campaign: a table of records that is sorted and filtered, and two plots. After page.js. */

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

const LEFT = 50, RIGHT = 470, TOP = 10, BOTTOM = 290;

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

function setUpCactus(found) {
  const picture = document.getElementById("cactus");
  const legend = document.getElementById("legend");
  const low = least(found);
  const across = scale(low, found.limit, LEFT, RIGHT);
  const most = Math.max(1, found.cases.length);
  const up = (count) => BOTTOM - (count / most) * (BOTTOM - TOP);
  picture.append(draw("path", { class: "axis", d: `M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}` }));
  tens(low, found.limit).forEach((value) => {
    picture.append(draw("text", { x: across(value), y: BOTTOM + 16, "text-anchor": "middle" }, `${Number(value.toPrecision(1))} s`));
  });
  [0, most].forEach((value) => picture.append(draw("text", { x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, value)));
  Object.entries(found.cactus).forEach(([name, times], number) => {
    const colour = COLOURS[number % COLOURS.length];
    const steps = times.map((time, index) => `H${across(time).toFixed(1)}V${up(index + 1).toFixed(1)}`).join("");
    const line = draw("path", { class: "line", stroke: colour, d: `M${LEFT} ${BOTTOM}${steps}H${RIGHT}` });
    line.append(draw("title", {}, `${name}: ${times.length} of ${most}`));
    picture.append(line);
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
      line.classList.toggle("faint", !on);
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

if (typeof document !== "undefined") {
  const found = JSON.parse(document.getElementById("campaign").textContent);
  setUpRecords(found);
  if (found.rows.length) {
    setUpCactus(found);
    setUpScatter(found);
  }
}
if (typeof module !== "undefined") module.exports = { ...module.exports, matching, scale, tens };
