/* The page of a campaign: a table of records that is sorted and filtered, and the choices of its plots. After page.js. */

const COLOURS = ["#3466a5", "#b3352c", "#2f7a3d", "#8a5aa8", "#b8741a", "#1f8a8a", "#9c4a6e", "#6d6878"];
const AT_ONCE = 100;

/* The numbers of the rows that hold every word of a text. */
function matching(texts, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return [...texts.keys()].filter((index) => words.every((word) => texts[index].includes(word)));
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

/* --- plots, which Bokeh draws ------------------------------------------------------------------------ */

/* Everything of this name in any of the plots. */
function named(name) {
  return Bokeh.documents.flatMap((one) => [...one._all_models.values()]).filter((model) => model.name === name);
}

/* A button for each entrant, which makes what it drew faint and clear again. */
function setUpLegend(found) {
  Object.entries(found.cactus).forEach(([name, times], index) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const mark = document.createElement("i");
    mark.style.background = found.colours[index % found.colours.length];
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(mark, `${name}: ${times.length}`);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      named(name).forEach((drawn) => (drawn.muted = !on));
    });
    item.append(button);
    document.getElementById("legend").append(item);
  });
}

/* What the dots of two entrants say, and where they are: on the border what was not solved. */
function pairs(found, one, other) {
  const said = (value) => (value === null ? "not solved" : `${value.toPrecision(3)} s`);
  const times = (name) => found.cases.map((_, index) => found.times[name]?.[index] ?? null);
  const [across, up] = [times(one), times(other)];
  const place = (value) => Math.max(found.least, value ?? found.beyond);
  return {
    x: across.map(place),
    y: up.map(place),
    words: found.cases.map((name, at) => `${name}: ${one} ${said(across[at])}, ${other} ${said(up[at])}`),
  };
}

function setUpScatter(found) {
  const choices = ["one", "other"].map((name) => document.getElementById(name));
  const [source] = named("cases");
  choices.forEach((choice, number) => {
    choice.append(...found.entrants.map((name) => new Option(name, name)));
    choice.selectedIndex = Math.min(number, found.entrants.length - 1);
    choice.addEventListener("change", show);
  });
  source.selected.properties.indices.change.connect(() => {
    const [index] = source.selected.indices;
    if (index !== undefined) document.getElementById("dot").textContent = source.data.words[index];
  });

  function show() {
    source.selected.indices = [];
    source.data = pairs(found, ...choices.map((choice) => choice.value));
  }
  show();
}

async function setUpPlots(found) {
  document.querySelectorAll(".plots figure > div").forEach((one) => {
    one.closest("figure").hidden = !(one.id in found.figures);
  });
  await Promise.all(Object.values(found.figures).map((figure) => Bokeh.embed.embed_item(JSON.parse(figure))));
  setUpLegend(found);
  setUpScatter(found);
}

if (typeof document !== "undefined") {
  const found = JSON.parse(document.getElementById("campaign").textContent);
  setUpRecords(found);
  if (found.rows.length) setUpPlots(found);
}
if (typeof module !== "undefined") module.exports = { ...module.exports, matching, pairs };
