// A client that draws rows of version 2 from their JSON, the message and the fonts, and knows no style. It lives in a page of the gateway's
// origin. What it does is what Windows.md, LayoutRecord.md and Gateway.md say.

const TRAILING = /[ \t\n\u3000]+$/;  // what hangs at a line's end

/// Everything that every text has: the list, the looks of lines, and what baselines are found with. Fonts are chosen and loaded by the lines of
/// DrawingARow.md (`needs`, `load`, `css`), which stand before these.
async function loadFonts() {
  await listFonts();
  for (const weight of [400, 700]) for (const italic of [false, true]) for (const monospaced of [false, true]) {
    await load(needs('x\u2026\u2010', {weight, italic, monospaced}));
  }
  const style = document.createElement('style'), languages = new Set(list.flatMap(face => face.languages ?? []));
  style.textContent = [...languages].map(own => `
    .line[data-language="${own}"] { ${css(false, own)} }
    .fixed[data-language="${own}"] { ${css(true, own)} }`).join('') + `
    body { margin: 0; background: #e9edf2; position: relative; }
    div { position: absolute; box-sizing: border-box; }
    .line:not([data-language]) { ${css(false)} }
    .fixed:not([data-language]) { ${css(true)} }
    .strike { text-decoration: line-through; }
    .underline { text-decoration: underline; }`;
  document.head.append(style);
  return list.length;
}

/// In which language a text's words are: those of the style's own are in none.
const languageOf = ({text}, said) => text.literal !== undefined && !/\{/.test(text.literal) ? undefined : said.body?.lang;

/// What a stretch of a text is drawn with.
const drawnWith = (face, lang, looks = []) => ({lang, weight: looks.includes('bold') ? Math.max(700, face.weight) : face.weight,
  italic: face.italic || looks.includes('italic'), monospaced: face.monospaced || looks.includes('monospaced')});

/// Letters that reach for each other stay as they are in the whole word where a line cuts between them: this stands for the other one.
const JOINER = '\u200d';
/// And these for letters of another direction, by which punctuation and numbers at a cut have their places.
const TURNS = {ltr: '\u200e', rtl: '\u200f', arabic: '\u061c'};
const before = line => (TURNS[line.begins_in] ?? '') + (line.begins_joined ? JOINER : '');
const behind = line => (line.ends_joined ? JOINER : '') + (TURNS[line.ends_in] ?? '');

// Words.
const at = (value, path) => path.split(/[.[\]]+/).filter(Boolean).reduce((found, key) => found?.[key], value);

/// The words of a text, or nothing where the row does not say it.
function words(text, said) {
  if (text.generated !== undefined) return text.generated;
  const found = text.path === undefined ? undefined : at({...said, ...said.body}, text.path);
  if (typeof found !== 'string') return text.path === undefined && !/\{/.test(text.literal ?? '{') ? text.literal : undefined;
  return text.pieces ? text.pieces.map(([start, end]) => found.slice(start, end)).join('') : found;
}

/// Everything of a face that lines were measured with: weight, slant, pitch, and what a stretch's looks add.
function setFace(element, face, looks = []) {
  element.style.fontWeight = looks.includes('bold') ? Math.max(700, face.weight) : face.weight;
  element.style.fontStyle = face.italic || looks.includes('italic') ? 'italic' : 'normal';
  element.classList.toggle('fixed', face.monospaced || looks.includes('monospaced'));
  for (const look of ['strike', 'underline']) element.classList.toggle(look, looks.includes(look));
}

/// How far the baseline lies below the top of a line of no height, in ems.
const drops = new Map();
function drop(face) {
  const key = JSON.stringify(face);
  if (!drops.has(key)) {
    const probe = document.createElement('div'), foot = document.createElement('span');
    probe.className = 'line';
    probe.style.fontSize = '100px';
    setFace(probe, face);
    foot.style.display = 'inline-block';
    probe.append('x', foot);
    document.body.append(probe);
    drops.set(key, (foot.getBoundingClientRect().bottom - probe.getBoundingClientRect().top) / 100);
    probe.remove();
  }
  return drops.get(key);
}

// Colours are the client's own. A token that it does not know is drawn by the node's role.
const FILLS = {bubble: '#fff', accent: '#2b7de9', quote: '#2b7de91c', chip: '#2b7de926', capsule: '#0009', media: '#b9c4d0', track: '#c8d0da',
  button: '#2b7de926', answer: '#2b7de926', code: '#0000000d', play: '#2b7de9', map: '#cfe3cf', pin: '#d33', plate: '#0003', input: '#0000000d'};
const ROLES = {media: '#b9c4d0', avatar: '#9db2c9', icon: '#9aa7b6', track: '#c8d0da', divider: '#0002', spoiler: '#555', control: '#2b7de926'};
const INKS = {accent: '#1463c4', link: '#1463c4', faint: '#888'};

/// Draws a row with its top left at (x, y), and adds to `report` what cannot be drawn, and every line, to be measured.
function drawRow(row, layout, x, y, scale, width, report) {
  const place = (parent, [left, top, wide, high]) => {
    const element = document.createElement('div');
    Object.assign(element.style, {left: left / scale + 'px', top: top / scale + 'px', width: wide / scale + 'px', height: high / scale + 'px'});
    parent.append(element);
    return element;
  };
  const {decoration} = row, own = decoration.variant === 'own';
  const outer = place(document.body, [x * scale, y * scale, width, row.height]);
  for (const key of ['dateLine', 'unreadLine']) if (decoration[key]) place(outer, decoration[key]).style.background = '#0001';
  for (const key of ['avatar', 'failed', 'selection']) {
    if (decoration[key]) Object.assign(place(outer, decoration[key]).style, {background: '#9db2c9', borderRadius: '50%'});
  }
  const content = place(outer, decoration.content), elements = [];
  const tell = (what, node) => report.lacks.push({what, message: row.message, part: node.part, node: node.node});
  for (const node of layout.nodes) {
    const parent = layout.nodes.find(other => other.node === node.parent);
    const [left, top, wide, high] = node.frame, [px, py] = parent ? parent.frame : [0, 0];
    const element = place(parent ? elements[parent.node] : content, [left - px, top - py, wide, high]);
    elements[node.node] = element;
    const fill = node.text ? undefined : FILLS[node.token] ?? ROLES[node.role];
    if (fill && !node.bars) element.style.background = node.token === 'bubble' && own ? '#d5ebff' : fill;
    if (node.corners) {
      const names = ['topStart', 'topEnd', 'bottomStart', 'bottomEnd'];
      const all = names.map((name, i) => !node.corners.includes(name) ? 0 : parent ? node.radius : decoration.radii?.[i] ?? node.radius);
      const [a, b, c, d] = report.mirrored ? [all[1], all[0], all[3], all[2]] : all;
      element.style.borderRadius = [a, b, d, c].map(radius => radius / scale + 'px').join(' ');
    }
    if (node.clips) element.style.overflow = 'hidden';
    (node.bars ?? []).forEach((bar, i, bars) => {
      place(element, [i * wide / bars.length, high - bar, wide / bars.length * 0.7, bar]).style.background = '#2b7de9';
    });
    if (left < -0.5 || top < -0.5 || left + wide > layout.size[0] + 0.5 || top + high > layout.size[1] + 0.5) tell('leaves its bubble', node);
    if (node.role === 'media') {
      const alt = at(row.said.body ?? {}, `${node.source}.alt`);
      element.role = 'img';
      element.ariaLabel = alt ?? node.label ?? '';
    }
    if (!node.text) continue;
    if (!node.text.face) { tell('has no face', node); continue; }
    const shown = words(node.text, row.said);
    if (shown === undefined) { tell('has no words', node); continue; }
    const dark = parent && ['capsule', 'plate'].includes(parent.token);
    for (const line of node.text.lines) drawLine(line, node, shown, element, dark);
  }

  function drawLine(line, node, shown, parent, dark) {
    const {text} = node, size = text.font_size / scale;
    const string = shown.slice(line.start, line.end);
    if (string.length < line.end - line.start) return tell('has fewer words than its lines', node);
    const cut = line.ends_with, end = line.start + string.replace(TRAILING, '').length;
    const element = document.createElement('div');
    const lang = languageOf(node, row.said), own = language(lang);
    element.className = 'line';
    if (own) element.dataset.language = own;
    // Letters that several families have, each as one language writes them.
    if (/\p{Script=Han}|\p{Script=Arabic}/u.test(string)) element.classList.add('shared');
    setFace(element, text.face);
    Object.assign(element.style, {
      left: (line.left - node.frame[0]) / scale + 'px', top: (line.baseline - node.frame[1]) / scale - drop(text.face) * size + 'px',
      fontSize: size + 'px', direction: line.direction, color: dark ? '#fff' : INKS[node.token] ?? '#111'});
    const runs = (text.looks ?? []).filter(look => look.start < end && look.end > line.start);
    let from = line.start;
    element.append(before(line));
    for (const run of runs) {
      element.append(shown.slice(from, Math.max(from, run.start)));
      const span = document.createElement('span');
      if (own) span.dataset.language = own;
      setFace(span, text.face, run.look);
      span.textContent = shown.slice(Math.max(from, run.start), from = Math.min(end, run.end));
      element.append(span);
    }
    element.append(shown.slice(from, end) + behind(line));
    // By itself, as it was measured: in the run of the line a browser draws it nearer to some letters.
    if (cut) {
      const mark = document.createElement('span');
      mark.style.display = 'inline-block';
      mark.textContent = {ellipsis: '…', hyphen: '\u2010'}[cut];
      element.append(mark);
    }
    parent.append(element);
    report.needs.push([string, drawnWith(text.face, lang)], ...runs.map(run => [shown.slice(run.start, run.end), drawnWith(text.face, lang, run.look)]));
    report.lines.push({element, line, node, row, origin: outer, string});
  }
}

// Ranges: what the service says of stretches of drawn lines, against what the browser drew.

/// Words, the first letters, and a stretch across words, of what is drawn of a line; each as units of the text.
function stretches({line, string}) {
  const drawn = string.replace(TRAILING, ''), found = [...drawn.matchAll(/\S+/g)].map(word => [word.index, word.index + word[0].length]);
  const letters = [...new Intl.Segmenter().segment(drawn)].slice(0, 12).map(({index, segment}) => [index, index + segment.length]);
  if (drawn.length > 4) found.push([Math.floor(drawn.length / 4), Math.ceil(3 * drawn.length / 4)]);
  return [...found, ...letters].map(([start, end]) => [line.start + start, line.start + end]);
}

/// Stretches of x, the leftmost first; those that touch are one.
function spans(pieces) {
  const found = [];
  for (const [left, right] of pieces.filter(([left, right]) => right - left > 0.02).sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && left < last[1] + 0.5) last[1] = Math.max(last[1], right);
    else found.push([left, right]);
  }
  return found;
}

/// What the browser drew of units of a line, from the left of the content in device pixels.
function drawnSpans({element, line, row, origin}, start, end, scale) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), range = document.createRange();
  const [x] = row.decoration.content, base = origin.getBoundingClientRect().left;
  let at = line.start - before(line).length;
  for (let node; (node = walker.nextNode()); at += node.length) {
    if (start >= at && start < at + node.length) range.setStart(node, start - at);
    if (end > at && end <= at + node.length) range.setEnd(node, end - at);
  }
  return spans([...range.getClientRects()].map(rect => [(rect.left - base) * scale - x, (rect.right - base) * scale - x]));
}

async function compareRanges(report, {query, state, scale}) {
  const texts = new Map();
  for (const drawn of report.lines) {
    if (drawn.node.text.literal !== undefined && drawn.node.text.generated === undefined) continue;
    const key = drawn.row.row + ' ' + drawn.node.node;
    texts.set(key, [...texts.get(key) ?? [], drawn]);
  }
  let compared = 0, worst = 0;
  const bad = [];
  for (const lines of texts.values()) {
    const [{row, node}] = lines, asked = lines.flatMap(drawn => stretches(drawn).map(([start, end]) => ({drawn, start, end}))).slice(0, 256);
    const answer = await fetch('/v1/conversations/kinds/ranges?' + query, {method: 'POST',
      headers: {'Content-Type': 'application/json', Accept: 'application/json; rows=2'}, body: JSON.stringify({row: row.row, mark: row.mark,
        expanded: state === 'expanded', texts: [{node: node.node, ranges: asked.map(({start, end}) => [start, end])}]})});
    const {ranges} = await answer.json();
    if (!ranges) { bad.push({what: 'has no ranges', message: row.message, part: node.part, status: answer.status}); continue; }
    ranges.texts[0].ranges.forEach(({start, end, frames}, i) => {
      const {drawn} = asked[i], {line} = drawn;
      const last = line.start + drawn.string.replace(TRAILING, '').length;
      // A grapheme may be more here than there.
      if (end > last || start < line.start) return;
      const told = spans(frames.filter(frame => frame[1] === line.top).map(([left, , wide]) => [left, left + wide]));
      // A letter that reaches for one that is not there is as wide as with the joiner that stands for it.
      const seen = drawnSpans(drawn, start, end === last && line.ends_joined ? end + 1 : end, scale);
      const off = told.length === seen.length ? Math.max(0, ...told.flatMap(([left, right], n) => [Math.abs(left - seen[n][0]), Math.abs(right - seen[n][1])])) : Infinity;
      compared++;
      if (off !== Infinity) worst = Math.max(worst, off);
      if (off > 0.5) bad.push({what: 'is drawn elsewhere than its range', message: row.message, part: node.part, string: drawn.string.slice(start - line.start, end - line.start),
        told: JSON.stringify(told), seen: JSON.stringify(seen)});
    });
  }
  return {compared, worst, bad};
}

/// A window all of whose files the list has. One that it does not have was made meanwhile: then the list is fetched again, and so is the window.
async function listed(query) {
  for (;;) {
    const answer = await fetch('/v1/conversations/kinds/window?' + query, {headers: {Accept: 'application/json; rows=2'}}), {window} = await answer.json();
    const known = new Set([...named(window.fonts).values()].map(({file}) => file.hash));
    if (window.fonts.every(hash => known.has(hash))) return window;
    await listFonts();
  }
}

/// Rows of a conversation in columns, and what is wrong with them.
async function draw({query, state, scale, width, mirrored, columns}) {
  document.querySelectorAll('body > *').forEach(element => element.remove());
  const {rows, fonts} = await listed(query), report = {lacks: [], lines: [], needs: [], mirrored}, bottoms = Array(columns).fill(0);
  const wide = width / scale + 12, bad = [], states = rows.filter(row => state !== 'expanded' || row.expanded);
  for (const row of states) {
    const column = bottoms.indexOf(Math.min(...bottoms));
    drawRow(row, row[state] ?? row.layout, column * wide, bottoms[column], scale, width, report);
    bottoms[column] += row.height / scale + 4;
  }
  // What the window names is all that is loaded, and has to be what this page would find by itself.
  const needed = new Map(report.needs.flatMap(([text, style]) => [...needs(text, style)])), told = named(fonts);
  // (The whole face will do: it is what there was until the face was made small.)
  const whole = new Set([...told.values()].filter(({face, file}) => file === face).map(({face}) => face));
  for (const [key, {face, file}] of needed) {
    if (!told.has(key) && !whole.has(face)) bad.push({what: 'is not named by the window', family: face.family, weight: face.weight, hash: file.hash});
  }
  await load(told);
  const range = document.createRange();
  let widest = 0, narrowest = 0, over = 0, under = 0, joined = 0, turned = 0;
  for (const {element, line, node, row, origin, string} of report.lines) {
    range.selectNodeContents(element);
    const rects = [...range.getClientRects()].filter(rect => rect.width);
    if (!rects.length) continue;
    const left = Math.min(...rects.map(rect => rect.left)), right = Math.max(...rects.map(rect => rect.right));
    const more = (right - left) * scale - line.width, [x] = row.decoration.content, base = origin.getBoundingClientRect().left;
    const start = (left - base) * scale - x - node.frame[0], end = start + (right - left) * scale - node.frame[2];
    widest = Math.max(widest, more);
    narrowest = Math.min(narrowest, more);
    if (more > 0.5) over++;
    if (line.begins_joined || line.ends_joined) joined++;
    if (line.begins_in || line.ends_in) turned++;
    // A model is a whole number of pixels, rounded up.
    if (more < -1.5) under++;
    const told = {message: row.message, part: node.part, string, model: line.width, more: Math.round(more * 100) / 100, cut: line.ends_with};
    if (more > 0.5) bad.push({what: 'is wider than its line', ...told});
    else if (more < -1.5) bad.push({what: 'is narrower than its line', ...told});
    else if (start < -0.5 || end > 0.5) bad.push({what: 'leaves its text', start, end, ...told});
  }
  const ranges = await compareRanges(report, {query, state, scale});
  const size = [columns * wide, Math.max(...bottoms)];
  Object.assign(document.body.style, {width: size[0] + 'px', height: size[1] + 'px'});
  return {needed: needed.size, named: told.size, rows: states.length, lines: report.lines.length, joined, turned, over, under, widest, narrowest, size, ranges: {...ranges, bad: ranges.bad.length}, bad: [...report.lacks, ...bad, ...ranges.bad]};
}

/// What came over the wire of fonts, in bytes, heads and the list among them.
const fontBytes = () => performance.getEntriesByType('resource').filter(entry => entry.name.includes('/v1/fonts'))
  .reduce((sum, entry) => sum + entry.transferSize, 0);

/// Widths of texts in slices, beside those in the whole face, which is there under another name.
async function compareSlices(texts, style) {
  const [one, other] = ['Slices', 'Whole'].map(name => {
    const column = document.createElement('section');
    column.style.cssText = css(false) + `font-size: 16px; font-family: ${name === 'Whole' ? '"Whole"' : faces(style).map(face => `"${face.family}"`)}`;
    column.append(...texts.map(text => Object.assign(document.createElement('span'), {textContent: text})));
    document.body.append(column);
    return column;
  });
  await load(new Map(texts.flatMap(text => [...needs(text, style)])));
  const emoji = faces(style).find(face => face.emoji);
  document.fonts.add(await new FontFace('Whole', await (await get('/v1/fonts/' + emoji.hash)).arrayBuffer()).load());
  const width = span => span.getBoundingClientRect().width;
  const bad = texts.filter((text, i) => Math.abs(width(one.children[i]) - width(other.children[i])) > 0.01);
  return {count: texts.length, bad, widest: Math.max(...[...one.children].map(width)), files: loads.size};
}
