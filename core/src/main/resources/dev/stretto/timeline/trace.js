// What a page knows of its operations: columns of numbers, rows of a picture, and sums of both. Draws nothing.

// Okabe and Ito's colours, which people with any kind of colour vision can tell apart; a pattern and a sign as well.
const KINDS = {
  read: { name: "read", sign: "r", colour: "#f0e442", pattern: "dots", engine: 0 },
  in: { name: "copy in", sign: ">", colour: "#4a9fd8", pattern: "rising", engine: 1 },
  out: { name: "copy out", sign: "<", colour: "#2bb58c", pattern: "falling", engine: 3 },
  local: { name: "copy on the device", sign: "=", colour: "#cc79a7", pattern: "level", engine: 2 },
  fill: { name: "fill", sign: "0", colour: "#a0a4a8", pattern: "dots", engine: 2 },
  kernel: { name: "kernel", sign: "#", colour: "#e69f00", pattern: "plain", engine: 2 },
  graph: { name: "graph", sign: "g", colour: "#8cc8ee", pattern: "grid", engine: 2 },
  peer: { name: "copy between devices", sign: "x", colour: "#a59be8", pattern: "crossed", engine: 4 },
  write: { name: "write", sign: "w", colour: "#e07b3c", pattern: "level", engine: 5 },
  value: { name: "number written", sign: "1", colour: "#c46f94", pattern: "upright", engine: 6 },
  wait: { name: "wait of the stream", sign: "·", colour: "#c3c7cb", pattern: "upright", engine: 6 },
  "host wait": { name: "host waits", sign: "·", colour: "#c3c7cb", pattern: "upright", engine: 7 },
  pinning: { name: "host pins memory", sign: "p", colour: "#d9a441", pattern: "crossed", engine: 7 },
  unpinning: { name: "host unpins memory", sign: "u", colour: "#b98d3e", pattern: "crossed", engine: 7 },
  allocation: { name: "host allocates", sign: "a", colour: "#8fb56b", pattern: "dots", engine: 7 },
  "kernel loading": { name: "host loads a kernel", sign: "k", colour: "#b58ad6", pattern: "grid", engine: 7 },
  "peer access": { name: "host enables access", sign: "e", colour: "#a59be8", pattern: "level", engine: 7 },
  other: { name: "other", sign: "o", colour: "#b0b4b8", pattern: "falling", engine: 7 },
};
const WORDS = Object.keys(KINDS);
const ENGINES = ["reading", "H2D engine", "kernels", "D2H engine", "peer link", "writing"];
const NO_ENGINE = 6, OF_HOST = 7;
const SIGNIFICANT = 4;
const MOST_LANES = 20;

function rounded(number, decimals) { return String(+number.toFixed(decimals)); }
function time(ns) {
  if (Math.abs(ns) < .005) return "0";
  const size = Math.abs(ns);
  return size >= 1e9 ? rounded(ns / 1e9, 3) + " s" : size >= 1e6 ? rounded(ns / 1e6, 3) + " ms"
    : size >= 1e3 ? rounded(ns / 1e3, 3) + " µs" : rounded(ns, size < SIGNIFICANT ? 2 : 0) + " ns";
}
function size(n) {
  return n >= 2 ** 30 ? rounded(n / 2 ** 30, 2) + " GiB" : n >= 2 ** 20 ? rounded(n / 2 ** 20, 2) + " MiB"
    : n >= 2 ** 10 ? rounded(n / 2 ** 10, 2) + " KiB" : n + " bytes";
}
function percent(part) { return (100 * part).toFixed(part > 0 && part < .1 ? 1 : 0) + " %"; }
function many(n, what) { return n.toLocaleString("en") + " " + what + (n === 1 ? "" : "s"); }
// Bytes per nanosecond are gigabytes per second.
function speed(bytes, ns) { return bytes && ns ? (bytes / ns).toFixed(bytes / ns < 100 ? 2 : 1) + " GB/s" : ""; }

// --- columns -----------------------------------------------------------------------------------------------------------

/** A column is an array, a number that all have, or left out where it is 0; steps are differences. */
function column(Type, count, written, otherwise, isSteps) {
  const all = new Type(count);
  if (!Array.isArray(written)) return all.fill(written === undefined ? otherwise : written);
  let sum = 0;
  for (let i = 0; i < written.length; i++) all[i] = isSteps ? sum += written[i] : written[i];
  return all;
}

/** Texts of operations: a list of them, and for each operation its place in the list. */
function textOf(section, name, i) {
  const texts = section.texts[name];
  return texts ? texts.list[texts.index[i]] || "" : "";
}

/**
 * A section of the page's data, with typed columns; beginning, end and rows follow from them. What a section may have
 * besides: texts of operations, of any name; what threads of the host did; arrows between the numbers of operations;
 * named ranges; how many operations are missing.
 */
function decode(written, from) {
  const host = written.host || [], n = written.count + host.length, columns = written.columns || {};
  const section = {
    name: written.name, from, count: n, operations: written.count, missing: written.missing || 0, threads: [], devices: written.devices || [""], streams: new Map(written.streams || []),
    kind: column(Uint8Array, n, columns.kind, 0), stream: column(Int32Array, n, columns.stream, 0),
    start: column(Float64Array, n, columns.start, 0, true), end: column(Float64Array, n, columns.length, 0),
    bytes: column(Float64Array, n, columns.bytes, 0), correlation: column(Float64Array, n, columns.correlation, 0, true),
    enqueued: columns.enqueued === undefined ? null : column(Float64Array, n, columns.enqueued, 0, true),
    device: column(Int16Array, n, columns.device, 0), other: column(Int16Array, n, columns.other, -1),
    branch: column(Int16Array, n, columns.branch, 0), texts: {},
    ranges: (written.ranges || []).map(([name, start, end]) => ({ name, start, end })), arrows: [],
  };
  const kinds = (written.kinds || WORDS).map(word => WORDS.indexOf(KINDS[word] ? word : "other"));
  let first = Infinity, last = -Infinity;
  for (const [name, texts] of Object.entries(written.texts || {})) {
    section.texts[name] = { list: texts.list, index: column(Uint32Array, n, texts.index, 0) };
  }
  section.names = section.texts.name || (section.texts.name = { list: [""], index: new Uint32Array(n) });
  for (let i = 0; i < written.count; i++) section.kind[i] = kinds[section.kind[i]];
  host.forEach((work, i) => putHost(section, work, written.count + i));
  section.arrows = arrowsOf(section, written.arrows || []);
  for (let i = 0; i < n; i++) {
    section.end[i] += section.start[i];
    if (section.start[i] < first) first = section.start[i];
    if (section.end[i] > last) last = section.end[i];
  }
  section.begin = n ? Math.min(0, first) : 0;
  section.finish = Math.max(n ? last : 0, section.begin + 1);
  section.shortest = shortest(section);
  section.rows = rowsOf(section);
  section.overlap = overlapOf(section);
  section.bound = boundOf(section);
  return section;
}

/** Work of a thread of the host: kind, name, device, thread, start, length, bytes, source line. */
function putHost(section, [word, name, device, thread, start, length, bytes, place], i) {
  section.kind[i] = WORDS.indexOf(KINDS[word] ? word : "other");
  Object.entries({ device: Math.max(0, device || 0), other: -1, branch: 0, stream: 0, correlation: 0, start, end: length, bytes: bytes || 0 })
    .forEach(([key, value]) => { section[key][i] = value; });
  if (section.enqueued) section.enqueued[i] = start;
  section.threads[i] = thread || "host";
  const write = (key, text) => {
    const texts = section.texts[key] || (section.texts[key] = { list: [""], index: new Uint32Array(section.count) });
    let at = texts.list.indexOf(text);
    if (at < 0) at = texts.list.push(text) - 1;
    texts.index[i] = at;
  };
  for (const key of Object.keys(section.texts)) write(key, "");
  write("name", name);
  write("thread", section.threads[i]);
  if (place) write("place", place);
}

/** Arrows as pairs of operations instead of their numbers. */
function arrowsOf(section, written) {
  if (!written.length) return [];
  const byNumber = new Map();
  for (let i = 0; i < section.count; i++) {
    const number = section.correlation[i];
    if (number && (section.branch[i] <= 0 || !byNumber.has(number))) byNumber.set(number, i);
  }
  return written.map(([from, to]) => [byNumber.get(from), byNumber.get(to)]).filter(([from, to]) => from !== undefined && to !== undefined);
}

function kindOf(section, i) { return KINDS[WORDS[section.kind[i]]]; }

function shortest(section) {
  let least = Infinity;
  for (let i = 0; i < section.count; i++) {
    const nanos = section.end[i] - section.start[i];
    if (nanos > 0 && nanos < least) least = nanos;
  }
  return least === Infinity ? 1 : least;
}

// --- rows --------------------------------------------------------------------------------------------------------------

/** The rows of the picture: for each device its streams with the branches of graphs, its engines, and the host. */
function rowsOf(section) {
  const found = new Map();
  const put = (device, group, key, i) => {
    const id = device * 1e9 + group * 1e8 + key;
    let row = found.get(id);
    if (!row) found.set(id, row = { device, group, key, list: [] });
    row.list.push(i);
  };
  const engines = WORDS.map(word => KINDS[word].engine), threads = [], ends = new Map();
  // A thread's work may be within other work, which then has a row below it.
  const lanes = i => {
    const thread = section.threads[i];
    let at = threads.indexOf(thread), lane = 0;
    if (at < 0) at = threads.push(thread) - 1;
    const key = () => section.device[i] + " " + at + " " + lane;
    while (lane < MOST_LANES && ends.get(key()) > section.start[i]) lane++;
    ends.set(key(), section.end[i]);
    return at * 1000 + lane;
  };
  for (let i = 0; i < section.count; i++) {
    const engine = engines[section.kind[i]], device = section.device[i], branch = section.branch[i];
    if (engine === OF_HOST) { put(device, 0, lanes(i), i); continue; }
    if (section.streams.has(section.stream[i])) put(device, 1, section.stream[i] * 1000 + Math.max(0, branch), i);
    if (engine < NO_ENGINE && branch !== -1) {
      put(device, 2, engine, i);
      if (section.other[i] >= 0) put(section.other[i], 2, engine, i);
    }
  }
  const rows = [], several = section.devices.length > 1;
  const sorted = [...found.values()].sort((a, b) => a.device - b.device || a.group - b.group || a.key - b.key);
  section.devices.forEach((name, device) => {
    const own = sorted.filter(row => row.device === device);
    if (several) rows.push({ label: name || "device " + device, heading: true, section, ops: new Int32Array(0), reach: [], busy: [0], idles: [] });
    for (const row of own) rows.push(sums(section, row, labelOf(section, row), several ? name || "device " + device : ""));
  });
  return rows;
}

function labelOf(section, row) {
  if (row.group === 0) return row.key % 1000 ? "" : "host: " + section.threads[row.list[0]];
  if (row.group === 2) return ENGINES[row.key];
  const branch = row.key % 1000;
  return branch ? "branch " + branch : section.streams.get(Math.floor(row.key / 1000));
}

/** A row with its operations in order, how far they reach, and how long it was busy before each. */
function sums(section, { list, group, key }, label, device) {
  const ops = Int32Array.from(list), { start, end, kind } = section;
  let inOrder = true;
  for (let i = 1; i < ops.length && inOrder; i++) inOrder = start[ops[i - 1]] <= start[ops[i]];
  if (!inOrder) ops.sort((a, b) => start[a] - start[b] || end[b] - end[a]);
  const reach = new Float64Array(ops.length), reachOfBusy = new Float64Array(ops.length), busy = new Float64Array(ops.length + 1);
  const idles = WORDS.map(word => group === 1 && KINDS[word].engine === NO_ENGINE);
  let far = -Infinity, covered = -Infinity, sum = 0, bytes = 0;
  for (let i = 0; i < ops.length; i++) {
    const o = ops[i];
    if (!idles[kind[o]]) {
      sum += Math.max(0, end[o] - Math.max(start[o], covered));
      covered = Math.max(covered, end[o]);
      bytes += section.bytes[o];
    }
    far = Math.max(far, end[o]);
    reach[i] = far;
    reachOfBusy[i] = covered;
    busy[i + 1] = sum;
  }
  return { label, device, ops, reach, reachOfBusy, busy, group, key, bytes, section, idles };
}

/** The first operation of a row that has not ended by then. */
function firstReaching(row, ns) {
  let low = 0, high = row.ops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.reach[middle] < ns) low = middle + 1; else high = middle;
  }
  return low;
}

/** How many operations of a row begin before then. */
function begunBefore(row, ns, from) {
  const { start } = row.section;
  let low = from || 0, high = row.ops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[row.ops[middle]] < ns) low = middle + 1; else high = middle;
  }
  return low;
}

/** For how long a row was busy until then. Those that run on reach beyond it by what the farthest does. */
function busyUntil(row, ns, begun) {
  const count = begun === undefined ? begunBefore(row, ns) : begun;
  if (!count) return 0;
  return row.busy[count] - Math.max(0, row.reachOfBusy[count - 1] - ns);
}

/** The operation of a row at a time: of several, the one that began last. */
function operationAt(row, ns, slack) {
  const { start, end } = row.section;
  for (let i = begunBefore(row, ns + slack + 1e-9) - 1, first = firstReaching(row, ns - slack); i >= first; i--) {
    if (end[row.ops[i]] >= ns - slack) return row.ops[i];
  }
  return -1;
}

// --- sums --------------------------------------------------------------------------------------------------------------

/** The times when at least one of some kinds ran, as pairs of numbers in order. */
function intervals(section, words) {
  const wanted = WORDS.map(word => words.includes(word)), all = [];
  for (let i = 0; i < section.count; i++) if (wanted[section.kind[i]] && section.branch[i] !== -1) all.push(i);
  const { start, end } = section, joined = [];
  for (let i = 1; i < all.length; i++) {
    if (start[all[i - 1]] > start[all[i]]) { all.sort((a, b) => start[a] - start[b]); break; }
  }
  for (const o of all) join(joined, start[o], end[o]);
  return joined;
}

function join(joined, from, to) {
  const n = joined.length;
  if (n && from <= joined[n - 1]) joined[n - 1] = Math.max(joined[n - 1], to); else joined.push(from, to);
}

function both(a, b) {
  const result = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const from = Math.max(a[i], b[j]), to = Math.min(a[i + 1], b[j + 1]);
    if (from < to) result.push(from, to);
    if (a[i + 1] < b[j + 1]) i += 2; else j += 2;
  }
  return result;
}

function either(a, b) {
  const result = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (j >= b.length || (i < a.length && a[i] <= b[j])) { join(result, a[i], a[i + 1]); i += 2; }
    else { join(result, b[j], b[j + 1]); j += 2; }
  }
  return result;
}

function lasting(pairs, from, to) {
  let sum = 0;
  for (let i = 0; i < pairs.length; i += 2) sum += Math.max(0, Math.min(pairs[i + 1], to) - Math.max(pairs[i], from));
  return sum;
}

const COPIES = ["in", "out", "local", "peer"];

/** When copies ran, when something else ran beside them, and when anything ran on a device. */
function overlapOf(section) {
  const copies = intervals(section, COPIES), kernels = intervals(section, ["kernel", "graph"]);
  const hidden = either(both(copies, kernels), both(intervals(section, ["in"]), intervals(section, ["out"])));
  const busy = either(either(copies, kernels), intervals(section, ["fill"]));
  return { copies, hidden, busy };
}

function hiddenPart(section, from, to) {
  const copying = lasting(section.overlap.copies, from, to);
  return copying ? lasting(section.overlap.hidden, from, to) / copying : -1;
}

/** From the first beginning of work to its last end, which shares refer to. */
function extent(section) {
  let from = Infinity, to = -Infinity;
  for (const row of section.rows) {
    if (row.group !== 2 || !row.ops.length) continue;
    from = Math.min(from, section.start[row.ops[0]]);
    to = Math.max(to, row.reach[row.ops.length - 1]);
  }
  return from < to ? [from, to] : [section.begin, section.finish];
}

/** The engine that was busy for the longest time, or nothing. */
function boundOf(section) {
  section.extent = extent(section);
  let most = null;
  for (const row of section.rows) {
    if (row.group === 2 && row.ops.length && (!most || total(row) > total(most))) most = row;
  }
  return most;
}

function total(row) { return row.busy[row.ops.length]; }
/** The part of the section's extent during which a row was busy. */
function shareOf(row) {
  const [from, to] = row.section.extent;
  return (busyUntil(row, to) - busyUntil(row, from)) / (to - from);
}

function titleOf(row) { return (row.device ? row.device + " " : "") + row.label; }

/** Totals of each operation by name and kind, within a time; what reaches beyond it counts for the part that is inside. */
function totals(section, from, to) {
  const { start, end, kind, names, bytes } = section, found = new Map();
  for (let i = 0; i < section.count; i++) {
    if (end[i] < from || start[i] > to) continue;
    const id = names.index[i] * 100 + kind[i];
    let sum = found.get(id);
    if (!sum) found.set(id, sum = { name: names.list[names.index[i]], kind: WORDS[kind[i]], count: 0, total: 0, bytes: 0, longest: 0 });
    const nanos = end[i] - start[i], inside = Math.min(end[i], to) - Math.max(start[i], from);
    sum.count++;
    sum.total += inside;
    sum.bytes += nanos ? bytes[i] * inside / nanos : bytes[i];
    sum.longest = Math.max(sum.longest, nanos);
  }
  return [...found.values()].map(sum => ({ ...sum, mean: sum.total / sum.count, speed: sum.total ? sum.bytes / sum.total : 0 }));
}

// --- other files -------------------------------------------------------------------------------------------------------

/** The sections of another page, or of a trace in Chrome's form. */
function readTrace(text, name) {
  const page = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(text);
  if (page) return JSON.parse(page[1]).sections.map(section => decode(section, name));
  let json;
  try { json = JSON.parse(text); } catch { json = null; }
  const events = json && (Array.isArray(json) ? json : json.traceEvents);
  if (!Array.isArray(events)) throw new Error(name + " is neither a page of Stretto nor a JSON trace.");
  return [decode(ofEvents(events), name)];
}

const CATEGORIES = { kernel: "kernel", gpu_memset: "fill", graph: "graph", cuda_sync: "wait" };
const OF_ENGINES = { "H2D engine": "in", "D2H engine": "out", "peer link": "peer", kernels: "local" };
const OF_NAMES = [[/HtoD/i, "in"], [/DtoH/i, "out"], [/PtoP|peer/i, "peer"], [/./, "local"]];

/** Operations of devices among Chrome's events, in the form of a section. Times are microseconds there. */
function ofEvents(events) {
  const streams = new Map(), devices = new Map(), titles = new Map(), names = new Map(), rows = [];
  for (const event of events) {
    const args = event.args || {};
    if (event.ph === "M" && event.name === "thread_name") titles.set(event.pid + "/" + event.tid, args.name);
    if (event.ph === "M" && event.name === "process_labels") titles.set(event.pid, args.labels);
    if (event.ph !== "X" || !(event.cat === "gpu_memcpy" || CATEGORIES[event.cat])) continue;
    if (event.cat === "cuda_sync" && args.engine === undefined) continue;
    const word = event.cat === "gpu_memcpy" ? OF_ENGINES[args.engine] || OF_NAMES.find(([form]) => form.test(event.name))[1]
      : CATEGORIES[event.cat];
    rows.push({ event, args, word });
  }
  rows.sort((a, b) => a.event.ts - b.event.ts);
  const zero = rows.length ? rows[0].event.ts : 0;
  const columns = { kind: [], stream: [], start: [], length: [], bytes: [], correlation: [], device: [] }, index = [];
  const place = (map, key) => { if (!map.has(key)) map.set(key, map.size); return map.get(key); };
  let before = 0, number = 0;
  for (const { event, args, word } of rows) {
    const start = Math.round((event.ts - zero) * 1000), correlation = args.correlation || 0, row = event.pid + "/" + event.tid;
    columns.kind.push(WORDS.indexOf(word));
    columns.stream.push(place(streams, row) + 1);
    columns.start.push(start - before);
    columns.length.push(Math.round(event.dur * 1000));
    columns.bytes.push(args.bytes || 0);
    columns.correlation.push(correlation - number);
    columns.device.push(place(devices, event.pid));
    index.push(place(names, String(event.name)));
    before = start;
    number = correlation;
  }
  return {
    name: "", count: rows.length, columns, texts: { name: { list: [...names.keys()], index } },
    streams: [...streams].map(([row, i]) => [i + 1, titles.get(row) || "stream " + (i + 1)]),
    devices: devices.size ? [...devices.keys()].map(pid => titles.get(pid) || "device " + pid) : [""],
  };
}
