// What the reader does: moving, searching, measuring, comparing; and the tables.

const $ = selector => document.querySelector(selector);
function make(tag, content, properties) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...[content === undefined ? [] : content].flat());
  return element;
}

const data = JSON.parse($("#data").textContent);
const views = [];
let active = null, order = { key: "total", descending: true };

/** The table of more rows than these is folded. */
const MOST_OPEN = 12;

// --- sections ----------------------------------------------------------------------------------------------------------

function addSection(section) {
  const canvas = make("canvas"), scroller = make("div", canvas, { className: "scroller" });
  const view = viewOf(section, canvas, scroller), box = make("div", scroller, { className: "timeline" });
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", `Timeline ${titleOfSection(section)}: ${many(section.rows.filter(r => !r.heading).length, "row")}, ${
    many(section.operations, "operation")}. Arrow keys move, plus and minus zoom, n and p go through the operations.`);
  const heading = make("h2", titleOfSection(section));
  heading.hidden = !heading.textContent;
  const summary = summaryOf(section);
  summary.open = !views.length && data.sections.length === 1 && section.rows.length <= MOST_OPEN;
  const article = make("article", [heading, factsOf(section), box, summary]);
  article.setAttribute("aria-label", titleOfSection(section) || "Timeline");
  $("main").append(article);
  view.spacer = make("div");
  scroller.append(view.spacer);
  fitHeight(view);
  view.box = box;
  view.article = article;
  listen(view);
  views.push(view);
  return view;
}

/** The canvas is as high as what is seen of the rows; the rest of them is below it, to scroll to. */
function fitHeight(view) {
  layOut(view);
  const seen = Math.min(view.height, Math.max(200, innerHeight * .68));
  view.canvas.style.height = view.scroller.style.maxHeight = seen + "px";
  view.spacer.style.height = view.height - seen + "px";
}

function titleOfSection(section) { return [section.from, section.name].filter(part => part).join(": "); }

function fact(name, value, className) { return make("div", [make("dt", name), make("dd", value)], { className: className || "" }); }

/** The summary: how long, how much was hidden, how long nothing ran, and what bounds it. */
function factsOf(section) {
  const [from, to] = section.extent, hidden = hiddenPart(section, from, to), whole = to - from;
  const idle = 1 - lasting(section.overlap.busy, from, to) / whole;
  const list = make("dl", [fact("Time", time(section.finish - Math.max(0, section.begin))), fact("Operations", section.operations.toLocaleString("en") + (section.missing ? `, ${section.missing.toLocaleString("en")} more are missing` : ""))], { className: "facts" });
  if (!section.count) return list;
  list.append(fact("Copying hidden by other work", hidden < 0 ? "no copies" : percent(hidden)), fact("Devices idle", percent(idle)));
  if (section.bound) {
    const part = total(section.bound) / whole;
    list.append(fact(part < .5 ? "No engine is busy half of the time; the busiest" : "Bound by", `${titleOf(section.bound)}, ${percent(part)} busy`, part < .5 ? "" : "bound"));
  }
  return list;
}

function summaryOf(section) {
  const rows = [];
  for (const row of section.rows) {
    if (row.heading) { rows.push(make("tr", make("td", row.label, { colSpan: 7 }), { className: "device" })); continue; }
    const busy = total(row), part = shareOf(row), bar = make("i");
    bar.style.width = 100 * part + "%";
    const share = make("span", bar, { className: "share" });
    share.setAttribute("aria-hidden", "true");
    const cells = [make("td", row.label + (row === section.bound ? " ◂ busiest engine" : "")), make("td", row.ops.length.toLocaleString("en")),
      make("td", time(busy)), make("td", [percent(part), share]), make("td", percent(1 - part)),
      make("td", row.bytes ? size(row.bytes) : ""), make("td", speed(row.bytes, busy))];
    const line = make("tr", cells, { className: row === section.bound ? "bound" : "" });
    line.dataset.row = row.label;
    line.dataset.device = row.device;
    line.dataset.busy = busy;
    rows.push(line);
  }
  const head = ["row", "operations", "busy", "busy", "idle", "bytes", "while busy"].map(name => make("th", name, { scope: "col" }));
  const table = make("table", [make("thead", make("tr", head)), make("tbody", rows)], { className: "summary" });
  return make("details", [make("summary", "Busy and idle, row by row"), make("div", table, { className: "table" })]);
}

// --- showing a part ----------------------------------------------------------------------------------------------------

const dirty = new Set();
let frame = 0;

function redraw(view) {
  dirty.add(view);
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    const all = [...dirty];
    dirty.clear();
    all.forEach(draw);
    tellRange();
  });
}

function move(view, from, to) {
  show(view, from, to);
  redraw(view);
}

function zoom(view, factor, centre) {
  const at = centre === undefined ? centreOf(view) : centre;
  const span = Math.max(Math.min(view.shortest, view.most - view.least), Math.min(view.most - view.least, (view.to - view.from) * factor));
  const left = (at - view.from) / (view.to - view.from);
  move(view, at - left * span, at - left * span + span);
}

/** Zooming keeps the selected operation in sight, if it is. */
function centreOf(view) {
  const o = view.selected, { start, end } = view.section;
  return o >= 0 && start[o] < view.to && end[o] > view.from
    ? (Math.max(start[o], view.from) + Math.min(end[o], view.to)) / 2 : (view.from + view.to) / 2;
}

function whole(view) { move(view, view.least, view.most); }

function fit(view) {
  if (view.measured) { move(view, ...view.measured); return; }
  if (view.selected >= 0) fitOperation(view, view.selected);
}

function fitOperation(view, o) {
  const { start, end } = view.section, margin = (end[o] - start[o]) / 10;
  move(view, start[o] - margin, end[o] + margin);
}

/** The limits of all views: with one scale, those of the longest. */
function limit() {
  const same = $("#same").checked && views.length > 1;
  const least = Math.min(...views.map(v => v.section.begin)), most = Math.max(...views.map(v => v.section.finish));
  for (const view of views) {
    view.least = same ? least : view.section.begin;
    view.most = same ? most : view.section.finish;
    view.shortest = view.section.shortest;
  }
}

function activate(view) {
  if (active === view) return;
  if (active) active.box.classList.remove("active");
  active = view;
  if (views.length > 1) view.box.classList.add("active");
  tellTotals();
  tellSearch();
  tellRange();
}

function tellRange() {
  for (const view of views) {
    view.canvas.dataset.from = view.from;
    view.canvas.dataset.to = view.to;
  }
  if (active) $("#range").textContent = `${time(active.from)} to ${time(active.to)}: ${time(active.to - active.from)}`;
}

// --- selecting and measuring -------------------------------------------------------------------------------------------

function select(view, o, isShown) {
  activate(view);
  view.selected = o;
  if (o >= 0 && isShown) reveal(view, o);
  inspect(view);
  redraw(view);
}

/** Moves an operation into sight, in time and among the rows. */
function reveal(view, o) {
  const { start, end } = view.section, span = view.to - view.from;
  if (start[o] < view.from || end[o] > view.to) {
    const centre = (start[o] + end[o]) / 2, wide = Math.max(span, (end[o] - start[o]) * 1.2);
    show(view, centre - wide / 2, centre + wide / 2);
  }
  const y = middleOf(view, o), { scroller } = view;
  if (y < scroller.scrollTop + view.top || y > scroller.scrollTop + scroller.clientHeight - ROW) scroller.scrollTop = y - scroller.clientHeight / 2;
}

const TITLES = { place: "source line", route: "route", thread: "thread", launch: "launch", grid: "grid", traffic: "views of host memory", shared: "shared memory", registers: "registers" };

function entry(list, name, value) { if (value) list.append(make("div", [make("dt", name), make("dd", value)])); }

function inspect(view) {
  const box = $("#inspector > div"), o = view.selected;
  box.replaceChildren();
  $("#inspector").hidden = o < 0 && !view.measured;
  if (o >= 0) box.append(...detailsOf(view.section, o));
  if (view.measured) box.append(...measureOf(view.section, ...view.measured));
}

function detailsOf(section, o) {
  const list = make("dl"), kind = kindOf(section, o), lasted = section.end[o] - section.start[o], stream = section.streams.get(section.stream[o]);
  entry(list, "kind", kind.name);
  if (section.devices.length > 1) entry(list, "device", section.devices[section.device[o]]);
  entry(list, "stream", kind.engine === OF_HOST ? "" : stream);
  entry(list, "engine", ENGINES[kind.engine]);
  entry(list, "began", time(section.start[o]));
  entry(list, "ended", time(section.end[o]));
  entry(list, "lasted", time(lasted));
  entry(list, "bytes", section.bytes[o] ? `${size(section.bytes[o])} (${section.bytes[o].toLocaleString("en")})` : "");
  entry(list, "speed", speed(section.bytes[o], lasted));
  if (section.enqueued && kind.engine > 0 && kind.engine < NO_ENGINE - 1) {
    entry(list, "enqueued", `${time(section.enqueued[o])}, ${time(section.start[o] - section.enqueued[o])} before it began`);
  }
  entry(list, "number", stream && section.correlation[o] ? String(section.correlation[o]) : "");
  for (const name of Object.keys(section.texts)) if (name !== "name") entry(list, TITLES[name] || name, textOf(section, name, o));
  const waits = section.arrows.filter(([, to]) => to === o).map(([from]) => textOf(section, "name", from));
  entry(list, "waited for", waits.slice(0, 8).join(", "));
  return [make("h3", textOf(section, "name", o) || kind.name), list];
}

/** What happened within a time: how long it is, what was moved in it, and how busy each row was. */
function measureOf(section, from, to) {
  const list = make("dl"), sums = totals(section, from, to), hidden = hiddenPart(section, from, to);
  entry(list, "from", time(from));
  entry(list, "to", time(to));
  entry(list, "operations", sums.reduce((n, sum) => n + sum.count, 0).toLocaleString("en"));
  for (const word of WORDS) {
    const bytes = sums.filter(sum => sum.kind === word).reduce((n, sum) => n + sum.bytes, 0);
    if (bytes) entry(list, KINDS[word].name, `${size(Math.round(bytes))}, ${speed(bytes, to - from)}`);
  }
  if (hidden >= 0) entry(list, "copying hidden", percent(hidden));
  for (const row of section.rows) {
    if (row.group === 2) entry(list, titleOf(row), percent((busyUntil(row, to) - busyUntil(row, from)) / (to - from)) + " busy");
  }
  return [make("h3", `Measured: ${time(to - from)}`), list];
}

function measure(view, from, to) {
  activate(view);
  view.measured = from === to ? null : [Math.min(from, to), Math.max(from, to)];
  inspect(view);
  redraw(view);
}

/** Goes to the next or previous operation of the row of the selected one. */
function step(view, by) {
  const { section } = view, row = section.rows[view.selected >= 0 ? rowOf(section, view.selected) : section.rows.findIndex(r => r.ops.length)];
  if (!row) return;
  const at = view.selected >= 0 ? row.ops.indexOf(view.selected) + by : by > 0 ? firstReaching(row, view.from) : begunBefore(row, view.to) - 1;
  if (at >= 0 && at < row.ops.length) select(view, row.ops[at], true);
}

// --- searching ---------------------------------------------------------------------------------------------------------

/** Looks for a text in names, kinds, streams and source lines, without regard to case. */
function search(view, text) {
  const wanted = text.trim().toLowerCase(), { section } = view;
  view.wanted = wanted;
  view.found = null;
  view.matches = [];
  view.current = -1;
  if (!wanted) return;
  const has = value => String(value).toLowerCase().includes(wanted);
  const tables = Object.values(section.texts).map(texts => ({ hits: texts.list.map(has), index: texts.index }));
  const kinds = WORDS.map(word => has(KINDS[word].name)), streams = new Map([...section.streams].map(([n, name]) => [n, has(name)]));
  const found = new Uint8Array(section.count), matches = [];
  for (let i = 0; i < section.count; i++) {
    if (kinds[section.kind[i]] || streams.get(section.stream[i]) || tables.some(({ hits, index }) => hits[index[i]])) {
      found[i] = 1;
      matches.push(i);
    }
  }
  matches.sort((a, b) => section.start[a] - section.start[b]);
  view.found = found;
  view.matches = matches;
}

function searchAll() {
  const text = $("#search").value;
  for (const view of views) { search(view, text); redraw(view); }
  tellSearch();
}

function tellSearch() {
  const view = active;
  $("#matches").textContent = !view || view.found == null ? "" : !view.matches.length ? "nothing found"
    : view.current < 0 ? many(view.matches.length, "match").replace("matchs", "matches")
    : `${(view.current + 1).toLocaleString("en")} of ${view.matches.length.toLocaleString("en")}`;
}

/** Goes to the next or previous match; the first one is that which is in sight. */
function goOn(by) {
  if (!active || !active.found || !active.matches.length) return;
  const { matches, section } = active, n = matches.length;
  if (active.current < 0) {
    const inSight = matches.findIndex(o => section.end[o] >= active.from);
    active.current = by > 0 ? Math.max(0, inSight) : n - 1;
  } else {
    active.current = (active.current + by + n) % n;
  }
  select(active, matches[active.current], true);
  tellSearch();
}

// --- totals and comparison ---------------------------------------------------------------------------------------------

const COLUMNS = [
  ["name", "operation"], ["count", "count"], ["total", "total"], ["mean", "mean"], ["longest", "longest"], ["share", "of the time"], ["bytes", "bytes"], ["speed", "GB/s"],
];
const MOST_LINES = 25;
let showsAll = false;

function tellTotals() {
  if (!active) return;
  const { section, measured } = active, [from, to] = measured || [-Infinity, Infinity];
  const [begin, finish] = measured || section.extent, table = $("#totals table");
  const sums = totals(section, from, to).map(sum => ({ ...sum, share: sum.total / (finish - begin) }));
  sums.sort((a, b) => (order.key === "name" ? a.name.localeCompare(b.name) : a[order.key] - b[order.key]) * (order.descending ? -1 : 1));
  $("#totals h2 small").textContent = [titleOfSection(section), measured ? "within what is measured" : "", many(sums.length, "name")].filter(s => s).join(", ");
  const head = make("tr", COLUMNS.map(([key, title]) => {
    const th = make("th", make("button", title, { onclick: () => sortBy(key) }), { scope: "col" });
    if (order.key === key) th.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
    return th;
  }));
  const lines = sums.slice(0, showsAll ? sums.length : MOST_LINES).map(sum => {
    const look = make("button", `${KINDS[sum.kind].sign} ${sum.name || KINDS[sum.kind].name}`, { title: "Search for " + sum.name, onclick: () => lookFor(sum.name) });
    const line = make("tr", [make("td", look), ...[sum.count.toLocaleString("en"), time(sum.total), time(sum.mean), time(sum.longest), percent(sum.share),
      sum.bytes ? size(Math.round(sum.bytes)) : "", sum.speed ? sum.speed.toFixed(2) : ""].map(text => make("td", text))]);
    Object.assign(line.dataset, { name: sum.name, kind: sum.kind, count: sum.count, total: sum.total, bytes: Math.round(sum.bytes) });
    return line;
  });
  table.replaceChildren(make("thead", head), make("tbody", lines));
  $("#all").hidden = showsAll || sums.length <= MOST_LINES;
  $("#all").textContent = `Show all ${sums.length.toLocaleString("en")} names`;
}

function sortBy(key) {
  order = { key, descending: order.key === key ? !order.descending : key !== "name" };
  tellTotals();
}

function lookFor(text) {
  $("#search").value = text;
  searchAll();
  goOn(1);
}

function offerComparison() {
  $("#comparison").hidden = views.length < 2;
  for (const [id, preferred] of [["#first", 0], ["#second", views.length - 1]]) {
    const chosen = $(id), before = chosen.value;
    chosen.replaceChildren(...views.map((view, i) => make("option", titleOfSection(view.section) || "this trace", { value: String(i) })));
    chosen.value = before && id === "#first" ? before : String(preferred);
  }
  compare();
}

function difference(a, b, show) {
  const change = b - a, cell = make("td", change === 0 ? "=" : (change > 0 ? "+" : "−") + show(Math.abs(change)) + (a ? ` (${change > 0 ? "+" : "−"}${Math.abs(100 * change / a).toFixed(1)} %)` : ""));
  cell.className = change > 0 ? "more" : change < 0 ? "less" : "";
  return cell;
}

function compare() {
  const first = views[$("#first").value], second = views[$("#second").value], table = $("#comparison table");
  if (!first || !second || views.length < 2) return;
  const lines = [], number = n => n.toLocaleString("en");
  const line = (name, a, b, show) => {
    const tr = make("tr", [make("td", name), make("td", show(a)), make("td", show(b)), difference(a, b, show)]);
    tr.dataset.name = name;
    lines.push(tr);
  };
  const [a, b] = [first.section, second.section];
  line("time", a.extent[1] - a.extent[0], b.extent[1] - b.extent[0], time);
  line("operations", a.operations, b.operations, number);
  const busy = section => new Map(section.rows.filter(row => row.group === 2).map(row => [titleOf(row), total(row)]));
  const [busyA, busyB] = [busy(a), busy(b)];
  for (const name of new Set([...busyA.keys(), ...busyB.keys()])) line(name + ", busy", busyA.get(name) || 0, busyB.get(name) || 0, time);
  const heading = make("tr", [make("td", "totals by operation")], { className: "device" });
  lines.push(heading);
  const sums = section => new Map(totals(section, -Infinity, Infinity).map(sum => [sum.kind + " " + sum.name, sum]));
  const [ofA, ofB] = [sums(a), sums(b)], none = { total: 0, count: 0, bytes: 0 };
  const keys = [...new Set([...ofA.keys(), ...ofB.keys()])].map(key => ({ key, a: ofA.get(key) || none, b: ofB.get(key) || none }));
  keys.sort((x, y) => Math.abs(y.b.total - y.a.total) - Math.abs(x.b.total - x.a.total) || y.b.total - x.b.total);
  for (const { a: x, b: y } of keys.slice(0, showsAll ? keys.length : MOST_LINES)) {
    const sum = x === none ? y : x, counted = x.count === y.count ? number(x.count) + " ×" : `${number(x.count)} → ${number(y.count)} ×`;
    line(`${KINDS[sum.kind].sign} ${sum.name}`, x.total, y.total, time);
    lines.at(-1).firstChild.append(make("small", " " + counted));
    Object.assign(lines.at(-1).dataset, { name: sum.name, first: x.total, second: y.total });
  }
  const head = ["", titleOfSection(a) || "this trace", titleOfSection(b) || "this trace", "difference"].map(name => make("th", name, { scope: "col" }));
  table.replaceChildren(make("thead", make("tr", head)), make("tbody", lines));
}

async function openFile(file) {
  $("#notice").hidden = true;
  try {
    const sections = readTrace(await file.text(), file.name);
    if (!sections.length) throw new Error(file.name + " has no operations.");
    sections.forEach(addSection);
    $("#scale").hidden = false;
    limit();
    views.forEach(view => { whole(view); search(view, $("#search").value); });
    tellLegend();
    offerComparison();
    $("#comparison").scrollIntoView({ block: "nearest" });
  } catch (e) {
    $("#notice").textContent = `The second trace cannot be read: ${e.message}`;
    $("#notice").hidden = false;
  }
}

// --- findings ----------------------------------------------------------------------------------------------------------

/** Where a finding happened: at the times that are known, else where operations of its line are. */
function pin(finding, number) {
  const view = views.find(v => v.section.devices.includes(finding.device)) || views[0];
  if (!view) return [];
  const { section } = view, places = section.texts.place, pins = [];
  const device = section.devices.indexOf(finding.device), nearest = enqueuedNear(section, device);
  for (const time of finding.times || []) {
    pins.push({ at: Math.max(view.least, Math.min(view.most, time)), o: nearest(time), number, view });
  }
  if (!pins.length && places) {
    const wanted = places.list.indexOf(finding.place);
    for (let i = 0; wanted >= 0 && i < section.count; i++) if (places.index[i] === wanted) pins.push({ at: section.start[i], o: i, number, view });
  }
  view.pins.push(...pins);
  return pins;
}

/** Finds the operation of a device that was enqueued nearest to a time of the host. */
function enqueuedNear(section, device) {
  const { enqueued } = section, all = [];
  if (enqueued) for (let i = 0; i < section.count; i++) if (section.device[i] === device && section.correlation[i]) all.push(i);
  all.sort((a, b) => enqueued[a] - enqueued[b]);
  return at => {
    let low = 0, high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (enqueued[all[middle]] <= at) low = middle + 1; else high = middle;
    }
    if (!low || (low < all.length && enqueued[all[low]] - at < at - enqueued[all[low - 1]])) return low < all.length ? all[low] : -1;
    return all[low - 1];
  };
}

function tellFindings(findings) {
  $("#findings").hidden = !findings;
  if (!findings) return;
  $("#findings ol").replaceChildren(...findings.map((finding, i) => {
    const pins = pin(finding, i + 1), blocked = finding.blocked ? `, ${time(finding.blocked)}` : "";
    let turn = -1;
    const where = make("span");
    const visit = () => {
      if (!pins.length) return;
      turn = (turn + 1) % pins.length;
      where.textContent = ` · ${turn + 1} of ${pins.length}`;
      goTo(pins[turn]);
    };
    const title = make("button", [make("span", String(i + 1), { className: "flag" }), finding.rule], { onclick: visit });
    title.setAttribute("aria-label", `Finding ${i + 1}: ${finding.rule}`);
    if (!pins.length) title.title = "Nothing tells when it happened.";
    return make("li", [title, where, make("p", finding.place, { className: "where" }),
      make("p", `${many(finding.count, "time")}${blocked}${finding.device ? " on " + finding.device : ""}: ${finding.reason}.`), make("p", `Instead: ${finding.advice}.`)]);
  }));
  if (!findings.length) $("#findings ol").append(make("li", "No hidden synchronization was found."));
  for (const view of views) {
    view.pins.sort((a, b) => a.at - b.at);
    fitHeight(view);
  }
}

function goTo(target) {
  const { view, at } = target;
  view.pins.forEach(each => { each.isShown = each === target; });
  activate(view);
  if (target.o >= 0) select(view, target.o, true);
  if (at < view.from || at > view.to || view.to - view.from > (view.most - view.least) / 4) {
    const span = Math.min(view.to - view.from, (view.most - view.least) / 20);
    show(view, at - span / 2, at + span / 2);
  }
  view.article.scrollIntoView({ block: "nearest" });
  redraw(view);
}

// --- mouse and keys ----------------------------------------------------------------------------------------------------

function listen(view) {
  const { canvas, scroller } = view;
  let grip = null;
  canvas.addEventListener("wheel", event => {
    if (event.offsetX < LABELS) return;
    event.preventDefault();
    activate(view);
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = sideways * (view.to - view.from) / widthOf(view);
      move(view, view.from + by, view.to + by);
    } else {
      zoom(view, Math.exp(Math.max(-300, Math.min(300, event.deltaY)) / 400), nanosAt(view, event.offsetX));
    }
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => {
    if (event.button) return;
    canvas.focus({ preventScroll: true });
    activate(view);
    if (event.offsetX < LABELS) return;
    grip = { x: event.offsetX, from: view.from, to: view.to, at: nanosAt(view, event.offsetX), measures: event.shiftKey, moved: false };
    canvas.setPointerCapture(event.pointerId);
    $("#tip").hidden = true;
  });
  canvas.addEventListener("pointermove", event => {
    if (!grip) { tip(view, event); return; }
    if (!grip.moved && Math.abs(event.offsetX - grip.x) < 3) return;
    grip.moved = true;
    if (grip.measures) {
      measure(view, grip.at, Math.max(view.from, Math.min(view.to, nanosAt(view, event.offsetX))));
    } else {
      canvas.classList.add("moving");
      const by = (grip.x - event.offsetX) * (grip.to - grip.from) / widthOf(view);
      move(view, grip.from + by, grip.to + by);
    }
  });
  canvas.addEventListener("pointerup", event => {
    canvas.classList.remove("moving");
    if (grip && grip.measures) tellTotals();
    else if (grip && !grip.moved) select(view, hit(view, event), false);
    grip = null;
  });
  canvas.addEventListener("pointercancel", () => { grip = null; canvas.classList.remove("moving"); });
  canvas.addEventListener("pointerleave", () => { $("#tip").hidden = true; });
  canvas.addEventListener("dblclick", event => {
    if (event.offsetX < LABELS) return;
    const o = hit(view, event);
    if (o >= 0) fitOperation(view, o); else whole(view);
  });
  canvas.addEventListener("focus", () => activate(view));
  scroller.addEventListener("scroll", () => redraw(view));
}

function hit(view, event) {
  const row = event.offsetX > LABELS ? rowAt(view, event.offsetY) : undefined;
  return row ? operationAt(row, nanosAt(view, event.offsetX), 1.5 * (view.to - view.from) / widthOf(view)) : -1;
}

function tip(view, event) {
  const box = $("#tip"), o = hit(view, event), { section } = view;
  box.hidden = o < 0;
  if (o < 0) return;
  const lasted = section.end[o] - section.start[o], kind = kindOf(section, o), lines = [textOf(section, "name", o) || kind.name];
  lines.push([kind.name, time(lasted), section.bytes[o] ? size(section.bytes[o]) : "", speed(section.bytes[o], lasted)].filter(part => part).join(", "));
  for (const name of ["traffic", "launch", "place"]) if (textOf(section, name, o)) lines.push(textOf(section, name, o));
  box.textContent = lines.join("\n");
  box.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8)) + "px";
  box.style.top = Math.min(event.clientY + 16, innerHeight - box.offsetHeight - 8) + "px";
}

function clear() {
  if (!active) return;
  if (active.measured) { active.measured = null; tellTotals(); }
  else if (active.selected >= 0) active.selected = -1;
  else { $("#search").value = ""; searchAll(); }
  inspect(active);
  redraw(active);
}

const STEP = .2, FASTER = 1.5;
const KEYS = {
  ArrowLeft: (v, far) => pan(v, far ? -1 : -STEP), ArrowRight: (v, far) => pan(v, far ? 1 : STEP),
  Home: v => move(v, v.least, v.least + v.to - v.from), End: v => move(v, v.most - v.to + v.from, v.most),
  "+": v => zoom(v, 1 / FASTER), "=": v => zoom(v, 1 / FASTER), "-": v => zoom(v, FASTER), _: v => zoom(v, FASTER),
  0: whole, f: fit, n: v => step(v, 1), p: v => step(v, -1),
  m: v => { if (v.selected >= 0) { measure(v, v.section.start[v.selected], v.section.end[v.selected]); tellTotals(); } },
  "/": () => { $("#search").focus(); $("#search").select(); }, "?": () => $("#help").showModal(), Escape: clear,
};

function pan(view, by) {
  const span = (view.to - view.from) * by;
  move(view, view.from + span, view.to + span);
}

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("#help").open || !active) return;
  const isText = event.target.matches("#search, select, #same");
  if (event.target === $("#search") && event.key === "Escape") {
    event.preventDefault();
    $("#search").value = "";
    searchAll();
    active.canvas.focus({ preventScroll: true });
    return;
  }
  if (event.target === $("#search") && event.key === "Enter") { event.preventDefault(); goOn(event.shiftKey ? -1 : 1); return; }
  const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
  if (isText || !act) return;
  event.preventDefault();
  act(active, event.shiftKey);
});

$("#search").addEventListener("input", searchAll);
$("#next").addEventListener("click", () => goOn(1));
$("#previous").addEventListener("click", () => goOn(-1));
$("#in").addEventListener("click", () => active && zoom(active, 1 / FASTER));
$("#out").addEventListener("click", () => active && zoom(active, FASTER));
$("#fit").addEventListener("click", () => active && fit(active));
$("#whole").addEventListener("click", () => active && whole(active));
$("#question").addEventListener("click", () => $("#help").showModal());
$("#dismiss").addEventListener("click", () => { if (active) { active.measured = null; active.selected = -1; inspect(active); redraw(active); tellTotals(); } });
$("#open").addEventListener("click", () => $("#file").click());
$("#file").addEventListener("change", () => { if ($("#file").files.length) openFile($("#file").files[0]); $("#file").value = ""; });
$("#same").addEventListener("change", () => { limit(); views.forEach(whole); });
$("#all").addEventListener("click", () => { showsAll = true; tellTotals(); compare(); });
$("#first").addEventListener("change", compare);
$("#second").addEventListener("change", compare);
addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
addEventListener("drop", event => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files.length) openFile(event.dataTransfer.files[0]);
});
addEventListener("resize", () => {
  palette = undefined;
  views.forEach(view => { fitHeight(view); redraw(view); });
});
dark.addEventListener("change", () => { palette = undefined; views.forEach(redraw); tellLegend(); });

// --- the beginning -----------------------------------------------------------------------------------------------------

function tellLegend() {
  const used = new Set(views.flatMap(view => [...new Set(view.section.kind)]));
  const fills = colours().fills, scale = devicePixelRatio || 1;
  $(".legend").replaceChildren(...[...used].sort((a, b) => KINDS[WORDS[a]].engine - KINDS[WORDS[b]].engine).map(k => {
    const swatch = make("canvas"), kind = KINDS[WORDS[k]];
    swatch.width = 26 * scale;
    swatch.height = 14 * scale;
    const pen = swatch.getContext("2d");
    pen.scale(scale, scale);
    pen.fillStyle = fills[k];
    pen.fillRect(0, 0, 26, 14);
    swatch.setAttribute("aria-hidden", "true");
    return make("span", [swatch, `${kind.sign} ${kind.name}`]);
  }));
}

$("h1").textContent = document.title = data.title;
$("#subtitle").textContent = data.subtitle;
data.sections.map(section => decode(section, "")).forEach(addSection);
$("#scale").hidden = views.length < 2;
limit();
views.forEach(view => show(view, view.least, view.most));
tellLegend();
tellFindings(data.findings);
offerComparison();
if (views.length) activate(views[0]);
views.forEach(draw);
tellRange();
document.documentElement.dataset.ready = "true";
