// Draws the rows of a section on a canvas that is as large as what is seen of them.

const ROW = 24, AXIS = 26, BAND = 18, LABELS = 168, PATTERN = 8;
/** Below this width operations are merged into bars whose height is the busy part of a pixel. */
const NARROW = 2.5;
/** More arrows would hide what they connect. */
const MOST_ARROWS = 400;

let palette;
const dark = matchMedia("(prefers-color-scheme: dark)");

/** The colours of the theme, and the patterns of the kinds in it. */
function colours() {
  if (palette) return palette;
  const style = getComputedStyle(document.documentElement), scale = devicePixelRatio || 1;
  palette = {};
  for (const name of ["ink", "soft", "paper", "lane", "line", "accent", "accent-soft", "hatch", "mark"]) {
    palette[name] = style.getPropertyValue("--" + name).trim();
  }
  const pen = document.createElement("canvas").getContext("2d");
  palette.fills = WORDS.map(word => patternOf(pen, KINDS[word], scale));
  return palette;
}

const STROKES = {
  plain: [], rising: [[0, 8, 8, 0], [-2, 2, 2, -2], [6, 10, 10, 6]], falling: [[0, 0, 8, 8], [-2, 6, 2, 10], [6, -2, 10, 2]],
  level: [[0, 2, 8, 2], [0, 6, 8, 6]], upright: [[2, 0, 2, 8], [6, 0, 6, 8]], grid: [[0, 4, 8, 4], [4, 0, 4, 8]],
  crossed: [[0, 8, 8, 0], [0, 0, 8, 8]], dots: [],
};

function patternOf(pen, kind, scale) {
  const tile = document.createElement("canvas"), length = PATTERN * scale;
  tile.width = tile.height = length;
  const on = tile.getContext("2d");
  on.scale(scale, scale);
  on.fillStyle = kind.colour;
  on.fillRect(0, 0, PATTERN, PATTERN);
  on.strokeStyle = on.fillStyle = palette.hatch;
  for (const [x, y, toX, toY] of STROKES[kind.pattern]) {
    on.beginPath();
    on.moveTo(x, y);
    on.lineTo(toX, toY);
    on.stroke();
  }
  if (kind.pattern === "dots") for (const [x, y] of [[2, 2], [6, 6]]) on.fillRect(x - .75, y - .75, 1.5, 1.5);
  const pattern = pen.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern;
}

/** What is seen of a section: a part of its time, on a canvas within an element that scrolls. */
function viewOf(section, canvas, scroller) {
  const bands = depths(section.ranges);
  const view = { section, canvas, scroller, from: 0, to: 1, least: 0, most: 1, selected: -1, measured: null, bands, pins: [], found: null };
  layOut(view);
  return view;
}

/** Where the rows begin: below the axis, the flags of findings, and named ranges. */
function layOut(view) {
  view.flags = view.pins.length ? BAND : 0;
  view.top = AXIS + view.flags + view.bands * BAND;
  view.height = view.top + view.section.rows.length * ROW + 4;
}

/** Gives nested ranges rows of their own, and returns how many. */
function depths(ranges) {
  const ends = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    let depth = ends.findIndex(end => end <= range.start);
    if (depth < 0) depth = ends.length;
    ends[depth] = range.end;
    range.depth = depth;
  }
  return ends.length;
}

function widthOf(view) { return Math.max(1, view.canvas.clientWidth - LABELS); }
function nanosAt(view, x) { return view.from + (x - LABELS) * (view.to - view.from) / widthOf(view); }
function pixelAt(view, ns) { return LABELS + (ns - view.from) * widthOf(view) / (view.to - view.from); }

function rowAt(view, y) {
  const number = Math.floor((y + view.scroller.scrollTop - view.top) / ROW);
  return y < view.top ? undefined : view.section.rows[number];
}

/** Shows a part of the time: not more than the whole, and not less than the shortest operation. */
function show(view, from, to) {
  const whole = view.most - view.least, span = Math.min(whole, Math.max(Math.min(view.shortest, whole), to - from));
  const centre = (from + to) / 2;
  view.from = Math.max(view.least, Math.min(view.most - span, centre - span / 2));
  view.to = view.from + span;
}

function draw(view) {
  const { canvas, section, scroller } = view, theme = colours(), scale = devicePixelRatio || 1;
  const width = canvas.clientWidth, seen = Math.max(1, Math.min(view.height, scroller.clientHeight || view.height));
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(seen * scale)) {
    canvas.style.height = seen + "px";
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(seen * scale);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.fillStyle = theme.paper;
  pen.fillRect(0, 0, width, seen);
  pen.font = '12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  pen.textBaseline = "middle";
  const scrolled = scroller.scrollTop, first = Math.max(0, Math.floor(scrolled / ROW));
  const last = Math.min(section.rows.length, Math.ceil((scrolled + seen - view.top) / ROW) + 1);
  pen.save();
  pen.beginPath();
  pen.rect(0, view.top, width, seen);
  pen.clip();
  for (let i = first; i < last; i++) drawLane(view, pen, section.rows[i], view.top + i * ROW - scrolled, width);
  drawGrid(view, pen, seen);
  pen.beginPath();
  pen.rect(LABELS, view.top, width, seen);
  pen.clip();
  for (let i = first; i < last; i++) drawRow(view, pen, section.rows[i], view.top + i * ROW - scrolled);
  drawArrows(view, pen, scrolled);
  pen.restore();
  pen.save();
  pen.beginPath();
  pen.rect(LABELS, 0, width, seen);
  pen.clip();
  drawRanges(view, pen);
  drawMeasured(view, pen, seen);
  drawAxis(view, pen);
  drawPins(view, pen, seen);
  pen.restore();
}

function drawLane(view, pen, row, top, width) {
  const theme = colours();
  if (row.heading) {
    pen.fillStyle = theme.ink;
    pen.font = '600 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    pen.fillText(row.label, 10, top + ROW / 2, width - 20);
    pen.font = '12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    return;
  }
  pen.fillStyle = theme.lane;
  pen.fillRect(LABELS, top + 1, width - LABELS, ROW - 2);
  const isBound = row === view.section.bound, { rows } = view.section, above = rows[rows.indexOf(row) - 1];
  if (row.group === 2 && above && above.group === 1) {
    pen.fillStyle = theme.line;
    pen.fillRect(0, top - .5, width, 1);
  }
  if (isBound) {
    pen.fillStyle = theme["accent-soft"];
    pen.fillRect(0, top + 1, LABELS - 4, ROW - 2);
  }
  pen.fillStyle = theme.soft;
  pen.textAlign = "right";
  pen.fillText(percent(shareOf(row)), LABELS - 10, top + ROW / 2);
  pen.textAlign = "left";
  pen.fillStyle = theme.ink;
  pen.fillText(shortened(pen, row.label, LABELS - 66), row.group === 2 ? 10 : 10 + (row.key % 1000 && row.group ? 10 : 0), top + ROW / 2);
}

function shortened(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let low = 0, high = Math.min(text.length, Math.ceil(width / 2));
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(text.slice(0, middle) + "…").width <= width) low = middle; else high = middle - 1;
  }
  return low < 2 ? "" : text.slice(0, low) + "…";
}

/** Bars of operations; those narrower than a pixel or two are merged, so that a row costs no more than its pixels. */
function drawRow(view, pen, row, top) {
  const { section } = view, { start, end, kind } = section, { ops, reach } = row;
  const perNano = widthOf(view) / (view.to - view.from), right = LABELS + widthOf(view);
  const merging = { from: -1, kind: 0, height: 0, to: -1, found: false };
  const limit = begunBefore(row, view.to);
  for (let i = firstReaching(row, view.from); i < limit;) {
    const o = ops[i], x = LABELS + (start[o] - view.from) * perNano, wide = (end[o] - start[o]) * perNano;
    if (wide >= NARROW) {
      flush(view, pen, merging, top);
      if (end[o] >= view.from) drawOperation(view, pen, o, Math.max(LABELS - 2, x), Math.min(right + 2, x + wide), top, x + wide < right && wide > 5);
      i++;
      continue;
    }
    const pixel = Math.max(LABELS, Math.floor(x)), until = view.from + (pixel + 1 - LABELS) / perNano;
    // All that begin in this pixel are one bar, except wide ones, which are drawn for themselves.
    let next = begunBefore(row, until, i);
    if (next <= i) next = i + 1;
    if (next - i <= 8) {
      for (let j = i + 1; j < next; j++) if ((end[ops[j]] - start[ops[j]]) * perNano >= NARROW) { next = j; break; }
    } else if ((reach[next - 1] - until) * perNano >= NARROW) {
      for (let j = i + 1; j < next; j++) if ((end[ops[j]] - start[ops[j]]) * perNano >= NARROW) { next = j; break; }
    }
    const since = until - 1 / perNano;
    const part = (busyUntil(row, until) - busyUntil(row, since)) * perNano;
    if (part <= 0 && reach[next - 1] < view.from) { i = next; continue; }
    const height = Math.max(3, Math.round((ROW - 4) * Math.min(1, row.idles[kind[o]] ? 1 : part)));
    const match = view.found === null ? -1 : firstFound(view, row, i, next), found = match >= 0, shown = kind[found ? match : o];
    if (merging.to === pixel && merging.kind === shown && merging.height === height && merging.found === found) {
      merging.to = pixel + 1;
    } else if (pixel >= merging.to) {
      flush(view, pen, merging, top);
      Object.assign(merging, { from: pixel, to: pixel + 1, kind: shown, height, found });
    }
    i = next;
  }
  flush(view, pen, merging, top);
}

function flush(view, pen, merging, top) {
  if (merging.to < 0) return;
  pen.globalAlpha = view.found !== null && !merging.found ? .22 : 1;
  pen.fillStyle = KINDS[WORDS[merging.kind]].colour;
  pen.fillRect(merging.from, top + ROW - 2 - merging.height, merging.to - merging.from, merging.height);
  pen.globalAlpha = 1;
  if (merging.found) {
    pen.fillStyle = colours().mark;
    pen.fillRect(merging.from, top + ROW - 3, Math.max(2, merging.to - merging.from), 3);
  }
  merging.to = -1;
}

/** The first of some operations of a row that the search has found, or -1. Of very many it looks at some. */
function firstFound(view, row, from, to) {
  const step = Math.max(1, Math.floor((to - from) / 64));
  for (let i = from; i < to; i += step) if (view.found[row.ops[i]]) return row.ops[i];
  return -1;
}

function drawOperation(view, pen, o, left, right, top, gap) {
  const { section } = view, theme = colours(), wide = right - left - (gap ? 1 : 0), kind = kindOf(section, o);
  const isFound = view.found !== null && view.found[o] === 1;
  pen.globalAlpha = view.found !== null && !isFound ? .22 : 1;
  pen.fillStyle = wide < 4 ? kind.colour : theme.fills[section.kind[o]];
  pen.fillRect(left, top + 2, wide, ROW - 4);
  const from = Math.max(left, LABELS) + 3;
  if (right - from > 11) {
    const name = section.names.list[section.names.index[o]];
    const text = (wide > 32 && shortened(pen, kind.sign + " " + name, right - from - 6)) || kind.sign;
    // A plain ground below the letters, since patterns make them hard to read.
    pen.fillStyle = kind.colour;
    pen.fillRect(from - 1, top + 4, pen.measureText(text).width + 3, ROW - 8);
    pen.fillStyle = "#111";
    pen.fillText(text, from, top + ROW / 2 + .5);
  }
  pen.globalAlpha = 1;
  if (o === view.selected || isFound) {
    pen.strokeStyle = o === view.selected ? theme.ink : theme.mark;
    pen.lineWidth = o === view.selected ? 2.5 : 1.5;
    pen.strokeRect(left + .5, top + 2, Math.max(2, wide - 1), ROW - 4);
    pen.lineWidth = 1;
  }
}

// --- axis, bands, marks --------------------------------------------------------------------------------------------------

function ticks(view) {
  const rough = (view.to - view.from) * 110 / widthOf(view), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= rough), all = [];
  for (let n = Math.ceil(view.from / step); n * step <= view.to; n++) all.push(n * step);
  return { all, step };
}

function drawGrid(view, pen, seen) {
  pen.fillStyle = colours().line;
  for (const tick of ticks(view).all) pen.fillRect(Math.round(pixelAt(view, tick)), view.top, 1, seen);
}

function drawAxis(view, pen) {
  const theme = colours(), { all, step } = ticks(view);
  for (const tick of all) {
    const x = Math.round(pixelAt(view, tick));
    pen.fillStyle = theme.line;
    pen.fillRect(x, AXIS - 6, 1, 6);
    pen.fillStyle = theme.soft;
    const text = onAxis(tick, step);
    if (x + 6 + pen.measureText(text).width < view.canvas.clientWidth) pen.fillText(text, x + 4, AXIS / 2);
  }
}

/** A time with as many decimals as neighbours need to differ. */
function onAxis(ns, step) {
  if (Math.abs(ns) < step / 2) return "0";
  const [unit, name] = Math.abs(ns) >= 1e9 ? [1e9, "s"] : Math.abs(ns) >= 1e6 ? [1e6, "ms"] : Math.abs(ns) >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return (ns / unit).toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / unit) - 1e-9)))) + " " + name;
}

function drawRanges(view, pen) {
  const theme = colours();
  for (const range of view.section.ranges) {
    if (range.end < view.from || range.start > view.to) continue;
    const left = Math.max(LABELS - 2, pixelAt(view, range.start)), right = Math.min(pixelAt(view, view.to) + 2, pixelAt(view, range.end));
    const top = AXIS + view.flags + range.depth * BAND;
    pen.fillStyle = theme["accent-soft"];
    pen.fillRect(left, top + 1, Math.max(1, right - left), BAND - 3);
    pen.strokeStyle = theme.accent;
    pen.strokeRect(left + .5, top + 1.5, Math.max(1, right - left - 1), BAND - 4);
    if (right - left > 24) {
      pen.fillStyle = theme.ink;
      const from = Math.max(left, LABELS) + 4;
      pen.fillText(shortened(pen, range.name, right - from - 4), from, top + BAND / 2);
    }
  }
}

function drawMeasured(view, pen, seen) {
  if (!view.measured) return;
  const theme = colours(), [from, to] = view.measured, left = pixelAt(view, from), right = pixelAt(view, to);
  pen.globalAlpha = .18;
  pen.fillStyle = theme.accent;
  pen.fillRect(left, 0, Math.max(1, right - left), seen);
  pen.globalAlpha = 1;
  pen.fillStyle = theme.accent;
  pen.fillRect(left, 0, 1.5, seen);
  pen.fillRect(right - 1.5, 0, 1.5, seen);
  const text = time(to - from), wide = pen.measureText(text).width + 12, x = Math.max(LABELS, (left + right - wide) / 2);
  pen.fillRect(x, 3, wide, AXIS - 8);
  pen.fillStyle = theme.paper;
  pen.fillText(text, x + 6, AXIS / 2 - 1);
}

/** Findings: a flag on the axis, and a line down through the rows. */
function drawPins(view, pen, seen) {
  const theme = colours();
  let before = -Infinity;
  for (const pin of view.pins) {
    if (pin.at < view.from || pin.at > view.to) continue;
    const x = Math.round(pixelAt(view, pin.at));
    if (x < LABELS - 1 || x > view.canvas.clientWidth || x - before < 3) continue;
    pen.fillStyle = theme.mark;
    pen.globalAlpha = pin.isShown ? 1 : .55;
    for (let y = AXIS; y < seen; y += 6) pen.fillRect(x, y, 1, 3);
    pen.globalAlpha = 1;
    if (pin.o >= 0) drawDiamond(pen, x, middleOf(view, pin.o) - view.scroller.scrollTop, pin.isShown ? 6 : 4);
    if (x - before < 18) continue;
    before = x;
    const text = String(pin.number), wide = pen.measureText(text).width + 8;
    pen.fillStyle = theme.mark;
    pen.fillRect(x, AXIS, wide, BAND - 3);
    pen.fillStyle = theme.paper;
    pen.fillText(text, x + 4, AXIS + BAND / 2 - 1);
  }
}

/** Marks the row in which a finding happened. */
function drawDiamond(pen, x, y, size) {
  pen.fillStyle = colours().mark;
  pen.strokeStyle = colours().paper;
  pen.beginPath();
  pen.moveTo(x, y - size);
  pen.lineTo(x + size, y);
  pen.lineTo(x, y + size);
  pen.lineTo(x - size, y);
  pen.closePath();
  pen.fill();
  pen.stroke();
}

/** Which operation had to wait for which: all that are seen if they are few, else those of the selected one. */
function drawArrows(view, pen, scrolled) {
  const { section } = view, seen = [];
  for (const [from, to] of section.arrows) {
    if (from === view.selected || to === view.selected) { seen.push([from, to]); continue; }
    if (seen.length > MOST_ARROWS) continue;
    if (section.end[from] <= view.to && section.start[to] >= view.from) seen.push([from, to]);
  }
  const few = seen.length <= MOST_ARROWS, theme = colours();
  for (const [from, to] of seen) {
    const isChosen = from === view.selected || to === view.selected;
    if (!few && !isChosen) continue;
    const y = middleOf(view, from) - scrolled, toY = middleOf(view, to) - scrolled;
    const x = pixelAt(view, section.end[from]), toX = pixelAt(view, section.start[to]);
    pen.strokeStyle = pen.fillStyle = isChosen ? theme.mark : theme.ink;
    pen.lineWidth = isChosen ? 2 : 1;
    pen.beginPath();
    pen.moveTo(x, y);
    const bend = Math.max(12, Math.min(60, Math.abs(toX - x) / 2));
    pen.bezierCurveTo(x + bend, y, toX - bend, toY, toX - 4, toY);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(toX, toY);
    pen.lineTo(toX - 6, toY - 3.5);
    pen.lineTo(toX - 6, toY + 3.5);
    pen.fill();
    pen.lineWidth = 1;
  }
}

/** The row of an operation's stream, or the first that it is in. */
function rowOf(section, o) {
  if (!section.places) {
    section.places = new Int32Array(section.count).fill(-1);
    section.rows.forEach((row, number) => {
      for (const each of row.ops) if (section.places[each] < 0) section.places[each] = number;
    });
  }
  return section.places[o];
}

function middleOf(view, o) { return view.top + rowOf(view.section, o) * ROW + ROW / 2; }
