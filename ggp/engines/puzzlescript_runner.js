// Plays PuzzleScript games without a browser, in whatever engine stands in the folder given as argument:
// a checkout of increpare/PuzzleScript, or the folder of the npm package `puzzle-script` (the engine of 2015).
//
// One JSON request a line on standard input, one JSON answer a line on standard output:
//   {"text": SOURCE}            -> {"faults": [...], "objects": [name of each number], "levels": [...]}
//   {"level": N, "keys": [...], "ticks": M} -> {"width", "height", "frames": [...], "faults": [...]}
//   {"level": N, "keys": [...], "recorded": true, "ticks": M} -> {"width", "height", "cells": [...], "faults": [...]}
//   {"level": N, "keys": [...], "seconds": S} -> {"turns", "seconds", "faults": [...]}
//   {"level": N, "reach": [NAME, ...], "most": L, "ticks": M} -> {"width", "height", "boards": [...], "faults": [...]}
// A key is up, left, down, right, action, tick, undo or restart, and sets M ticks going at most. A frame is
// {"key", "cells", "won", "message"}: the index of the key that led to it (-1: the level as it opens; a key that
// sets things going has many frames), what the changed cells hold now (row * width + column -> object numbers),
// and what the engine said. With "recorded" it goes on as in the engine's own tests: what is won opens the next
// screen at once, on which what was set going goes on; the cells are those in the end. With "seconds" the keys are played over and over for so long, a level that is won anew, and
// nothing but the engine is timed (seconds of the processor). A board is what the cells hold of the objects asked for, row by row; all that the
// keys can reach are found, by way of L states at most.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const home = process.argv[2];
const faults = [];
const plain = (text) => String(text).replace(/<\/?[a-zA-Z][^>]*>/g, '').trim();

// --- what the engine expects of a browser ----------------------------------------------------------------

const nothing = () => {};
const kept = new Map();
const element = () => new Proxy(
    { style: {}, innerHTML: '', textContent: '', value: '', classList: { contains: () => false } },
    { get: (held, name) => (name in held ? held[name] : name === 'getContext' ? () => element() : nothing) });
const stubs = {
    localStorage: {
        getItem: (key) => (kept.has(key) ? kept.get(key) : null),
        setItem: (key, value) => kept.set(key, String(value)),
        removeItem: (key) => kept.delete(key),
    },
    document: { URL: 'here', body: element(), createElement: element, getElementById: element,
        addEventListener: nothing, getElementsByTagName: () => [] },
    lastDownTarget: null, canvas: null, input: element(), editor: { getValue: () => '' },
    IDE: false, canDump: false, canOpenEditor: false, canSetHTMLColors: false, inputHistory: [], soundHistory: [],
    debugger_turnIndex: 0, debug_visualisation_array: [],
};
for (const name of ['canvasResize', 'redraw', 'forceRegenImages', 'regenSpriteImages', 'consolePrint', 'consoleCacheDump',
    'consolePrintFromRule', 'addToDebugTimeline', 'killAudioButton', 'showAudioButton', 'jumpToLine', 'printLevel',
    'playSound', 'clearInputHistory', 'pushInput', 'pushSoundToHistory', 'addEventListener', 'stripHTMLTags']) {
    stubs[name] = nothing;
}
stubs.consoleError = (text) => faults.push(plain(text));
stubs.console_print_raw = nothing;
Object.assign(globalThis, stubs, { window: globalThis });
Object.defineProperty(globalThis, 'navigator', { value: { userAgent: '' }, configurable: true, writable: true });
console.log = console.warn = console.error = nothing; // standard output is for answers alone

// --- the engine ------------------------------------------------------------------------------------------

const run = (code, name) => vm.runInThisContext(code, { filename: name });
const whole = path.join(home, 'standalone_inlined.txt');
if (fs.existsSync(whole)) {
    // The page that the editor exports: libraries, tables, engine, compiler; then what draws and reads keys.
    const scripts = [...fs.readFileSync(whole, 'utf8').matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((m) => m[1]);
    const last = scripts.findIndex((code) => code.includes('function compile('));
    scripts.slice(0, last + 1).forEach((code, index) => run(code, `script ${index + 1} of ${whole}`));
} else {
    const parts = ['storagewrapper', 'bitvec', 'level', 'languageConstants', 'globalVariables', 'font', 'rng', 'riffwave',
        'sfxr', 'codemirror/stringstream', 'colorhelpers', 'colors', 'engine', 'parser', 'compiler', 'soundbar'];
    for (const part of parts) {
        const file = path.join(home, 'src', 'js', `${part}.js`);
        if (fs.existsSync(file)) run(fs.readFileSync(file, 'utf8'), file);
    }
}
Object.assign(globalThis, { canvasResize: nothing, redraw: nothing, regenSpriteImages: nothing, playSound: nothing,
    consolePrint: nothing, consoleError: stubs.consoleError });

// The engine's own variables are seen by scripts only, so what touches them is one.
// On screen a message puts off to the next input whether the level is won. The engine's own tests show none.
// A warning is no fault: the game is played all the same.
const engine = run(`let note = ''; const onScreen = showTempMessage;
const told = () => errorStrings.filter((one) => !one.includes('warningText')); ({
    compile(text) { compile(['loadLevel', 0], text + '\\n', 'seed'); return told(); },
    errors() { return told(); },
    forget() { errorStrings = []; errorCount = 0; },
    objects() { return Object.values(state.idDict || {}); }, // none where the compiler gave up
    levels() { return (state.levels || []).map((one) => (one.message === undefined ? [one.width, one.height] : one.message)); },
    open(number) {
        winning = false; againing = false;
        loadLevelFromState(state, number, 'seed');
        winning = false; textMode = false; messagetext = note = '';
    },
    width() { return level.width; },
    height() { return level.height; },
    input(number) { processInput(number); },
    undo() { DoUndo(false, true); },
    keep() { return backupLevel(); },
    bring(kept) { restoreLevel(kept); backups = []; winning = false; textMode = false; messagetext = ''; },
    whole() { return Array.from(level.objects).join(); },
    restart() { DoRestart(false); }, // a key: the board before it is kept for undo, which older engines want to be told
    goesOn() { const on = againing && !winning; againing = false; return on; },
    won() { return winning; },
    testing(on) { unitTesting = on; },
    takes(key) {
        if (key === 'tick') return 'realtime_interval' in state.metadata;
        return key !== 'action' || !('noaction' in state.metadata);
    },
    said() { const text = textMode ? messagetext : note; textMode = false; messagetext = note = ''; return text; },
    messages(shown) { showTempMessage = shown ? onScreen : () => { note = messagetext; }; },
    objectsAt(cell) {
        const held = level.getCell(cell), found = [];
        for (let bit = 0; bit < 32 * STRIDE_OBJ; bit++) if (held.get(bit)) found.push(bit);
        return found;
    },
})`, 'driver');

// --- requests --------------------------------------------------------------------------------------------

const KEYS = { tick: -1, up: 0, left: 1, down: 2, right: 3, action: 4 };

function read(text) {
    const found = engine.compile(text).map(plain);
    return { faults: [...new Set([...found, ...faults])], objects: engine.objects(), levels: engine.levels() };
}

function play(number, keys, ticks, tests) {
    engine.messages(!tests);
    engine.open(number);
    const [width, height] = [engine.width(), engine.height()];
    const frames = [];
    const seen = new Array(width * height).fill('');
    function look(key) {
        const cells = {};
        for (let x = 0; x < width; x++) {
            for (let y = 0; y < height; y++) {
                const held = engine.objectsAt(x * height + y); // the engine counts down the columns
                const mark = held.join();
                if (seen[y * width + x] !== mark) cells[y * width + x] = held;
                seen[y * width + x] = mark;
            }
        }
        frames.push({ key, cells, won: engine.won(), message: engine.said() });
    }
    look(-1);
    settle(ticks, () => look(-1)); // rules that run at the start may go on, and may win
    keys.forEach((key, index) => {
        if (engine.won()) return;
        if (key === 'undo' || key === 'restart') engine[key]();
        else engine.input(KEYS[key]);
        look(index);
        settle(ticks, () => look(index));
    });
    return { width, height, frames, faults: [...new Set([...engine.errors().map(plain), ...faults])] };
}

function settle(ticks, after) {
    for (let tick = 0; engine.goesOn(); tick++) {
        if (tick === ticks) {
            faults.push(`it does not come to rest within ${ticks} ticks`);
            return;
        }
        engine.input(-1);
        after();
    }
}

function recorded(number, keys, ticks) {
    engine.messages(false);
    engine.testing(true);
    try {
        engine.open(number);
        settle(ticks, nothing);
        for (const key of keys) {
            if (key === 'undo' || key === 'restart') engine[key]();
            else engine.input(KEYS[key]);
            settle(ticks, nothing);
        }
    } finally {
        engine.testing(false);
    }
    const [width, height] = [engine.width(), engine.height()];
    const cells = [...new Array(width * height).keys()].map((at) => engine.objectsAt((at % width) * height + Math.floor(at / width)));
    return { width, height, cells, faults: [...new Set([...engine.errors().map(plain), ...faults])] };
}

function reach(number, wanted, most, ticks) {
    engine.messages(true);
    engine.open(number);
    const [width, height] = [engine.width(), engine.height()];
    const names = engine.objects().map((name) => String(name).toLowerCase());
    const asked = new Set(wanted.map((name) => names.indexOf(name.toLowerCase()))), states = new Set([engine.whole()]), boards = new Map();
    const waiting = [engine.keep()], keys = Object.keys(KEYS).filter(engine.takes).map((key) => KEYS[key]);
    function look() {
        const board = [];
        for (let y = 0; y < height; y++) {
            for (let x = 0; x < width; x++) {
                board.push(engine.objectsAt(x * height + y).filter((one) => asked.has(one)));
            }
        }
        boards.set(JSON.stringify(board), board);
    }
    look();
    while (waiting.length) {
        const from = waiting.pop();
        for (const key of keys) {
            engine.bring(from);
            engine.input(key);
            settle(ticks, nothing);
            const now = engine.whole();
            if (states.has(now)) continue;
            states.add(now);
            if (states.size > most) throw new Error(`there are more than ${most} states`);
            look();
            if (!engine.won()) waiting.push(engine.keep());
        }
    }
    return { width, height, boards: [...boards.values()], faults: [...new Set([...engine.errors().map(plain), ...faults])] };
}

function timed(number, keys, seconds, ticks) {
    engine.messages(true);
    const made = keys.map((key) => KEYS[key]);
    const round = () => {
        engine.open(number);
        for (const key of made) {
            if (engine.won()) engine.open(number);
            engine.input(key);
            settle(ticks, nothing);
        }
    };
    const processor = () => { const used = process.cpuUsage(); return (used.user + used.system) / 1e6; };
    for (let warm = processor(); processor() - warm < seconds / 2;) round();
    const start = processor();
    let turns = 0, spent = 0;
    for (; spent < seconds; spent = processor() - start) {
        round();
        turns += made.length;
    }
    return { turns, seconds: spent, faults: [...new Set([...engine.errors().map(plain), ...faults])] };
}

for (const line of fs.readFileSync(0, 'utf8').split('\n').filter((text) => text.trim())) {
    const request = JSON.parse(line);
    faults.length = 0;
    engine.forget();
    let answer;
    try {
        if ('text' in request) answer = read(request.text);
        else if ('reach' in request) answer = reach(request.level, request.reach, request.most, request.ticks);
        else if ('recorded' in request) answer = recorded(request.level, request.keys, request.ticks);
        else if ('seconds' in request) answer = timed(request.level, request.keys, request.seconds, request.ticks);
        else answer = play(request.level, request.keys, request.ticks, request.tests);
    } catch (error) {
        answer = { faults: [`the engine fails: ${error.stack || error}`] };
    }
    fs.writeSync(1, JSON.stringify(answer) + '\n');
}
