"use strict";

/* A run being watched: which frame it is at, and whether it goes on by itself. Knows nothing of the page. */
class Player {
  constructor(frames, show, timers = globalThis) {
    this.frames = frames;
    this.show = show;
    this.timers = timers;
    this.at = 0;
    this.pace = 300;
    this.timer = null;
  }

  get last() {
    return this.frames.length - 1;
  }

  get playing() {
    return this.timer !== null;
  }

  seek(frame) {
    this.at = Math.max(0, Math.min(this.last, frame));
    if (this.at === this.last) this.stop();
    this.show(this);
  }

  step(by) {
    this.stop();
    this.seek(this.at + by);
  }

  play() {
    if (this.playing || this.last < 1) return;
    if (this.at === this.last) this.at = 0;
    this.timer = this.timers.setInterval(() => this.seek(this.at + 1), this.pace);
    this.show(this);
  }

  stop() {
    if (this.playing) this.timers.clearInterval(this.timer);
    this.timer = null;
  }

  pause() {
    this.stop();
    this.show(this);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setPace(milliseconds) {
    this.pace = milliseconds;
    if (!this.playing) return;
    this.stop();
    this.play();
  }
}

/* The order of rows by the values in one column. What is empty comes last either way; ties stay as they are. */
function sorted(values, numeric, descending) {
  const compare = numeric ? (a, b) => Number(a) - Number(b) : (a, b) => a.localeCompare(b);
  return values
    .map((value, index) => ({ value, index }))
    .sort((one, other) => {
      if (one.value === "" || other.value === "") return (one.value === "") - (other.value === "");
      return (descending ? -1 : 1) * compare(one.value, other.value);
    })
    .map((entry) => entry.index);
}

/* --- on the page ------------------------------------------------------------------------------------ */

function setUpPlayer(section, level) {
  const picture = section.querySelector("svg");
  const slider = section.querySelector("input");
  const turn = section.querySelector(".turn");
  const controls = Object.fromEntries([...section.querySelectorAll("[data-do]")].map((b) => [b.dataset.do, b]));
  const choices = [...section.querySelectorAll("[data-plan]")];
  let player = null;

  function copy(number) {
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#e-${number}`);
    return use;
  }

  function show({ at, last, playing, frames }) {
    picture.replaceChildren(...frames[at].map(copy));
    slider.value = at;
    controls.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    controls.first.disabled = controls.back.disabled = at === 0;
    controls.step.disabled = at === last;
    const action = player.actions[at - 1];
    const words = last ? `turn ${at} of ${last}${action ? `: ${action}` : ""}` : player.still;
    if (!playing || at === last) turn.textContent = words;
    section.dataset.frame = at;
  }

  function choose(number) {
    const plan = level.plans[number];
    if (player) player.stop();
    player = new Player(plan.frames, show);
    player.actions = plan.actions;
    player.still = number === 0 ? "the level" : "the solution";
    player.pace = Number(section.querySelector("select").value);
    choices.forEach((button, index) => button.setAttribute("aria-pressed", String(index === number)));
    slider.max = player.last;
    slider.disabled = controls.play.disabled = player.last < 1;
    player.seek(0);
  }

  choices.forEach((button, index) =>
    button.addEventListener("click", () => {
      choose(index);
      player.play();
    }),
  );
  controls.first.addEventListener("click", () => player.step(-player.at));
  controls.back.addEventListener("click", () => player.step(-1));
  controls.step.addEventListener("click", () => player.step(1));
  controls.play.addEventListener("click", () => player.toggle());
  slider.addEventListener("input", () => player.step(Number(slider.value) - player.at));
  section.querySelector("select").addEventListener("change", (event) => player.setPace(Number(event.target.value)));
  choose(0);
}

function setUpTable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) =>
    head.querySelector("button").addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      const rows = [...body.rows];
      const values = rows.map((row) => row.cells[column].dataset.sort);
      const order = sorted(values, head.classList.contains("number"), descending);
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      body.append(...order.map((index) => rows[index]));
    }),
  );
}

async function copyText(button) {
  const source = button.parentElement.querySelector("pre");
  let done = true;
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source);
    done = document.execCommand("copy");
  }
  button.textContent = done ? "Copied" : "Select and copy by hand";
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

if (typeof document !== "undefined") {
  const levels = JSON.parse(document.getElementById("data").textContent);
  document.querySelectorAll(".play").forEach((section) => setUpPlayer(section, levels[section.dataset.level]));
  document.querySelectorAll("table.runs").forEach(setUpTable);
  document.querySelectorAll(".copy").forEach((button) => button.addEventListener("click", () => copyText(button)));
}
if (typeof module !== "undefined") module.exports = { Player, sorted };
