// Draws one TeX formula as SVG with MathJax, inside quickjs-ng: no browser, no network.
// The host calls drawFormula(…), and when the answer is { needed: [paths] }, addSource(path, text) for each, and again.
(function () {
  const _ = MathJax._;
  const { mathjax } = _.mathjax;
  const adaptor = _.adaptors.liteAdaptor.liteAdaptor();
  _.handlers.html_ts.RegisterHTMLHandler(adaptor);

  const FONT_CLASSES = { newcm: ['mathjax-newcm', 'MathJaxNewcmFont'], stix2: ['mathjax-stix2', 'MathJaxStix2Font'] };
  const PACKAGES = [
    'base', 'action', 'ams', 'amscd', 'bbox', 'boldsymbol', 'braket', 'bussproofs', 'cancel', 'cases',
    'centernot', 'color', 'colortbl', 'configmacros', 'empheq', 'enclose', 'extpfeil', 'gensymb', 'html',
    'mathtools', 'mhchem', 'newcommand', 'scidraft-signs', 'textcomp', 'textmacros', 'unicode', 'units', 'upgreek', 'verb',
  ];
  // What LaTeX packages define and MathJax lacks. The proof mark is set by the page.
  const MACROS = {
    allowdisplaybreaks: '', bm: ['\\boldsymbol{#1}', 1], displaybreak: ['', 1, '4'], ensuremath: ['#1', 1],
    mathbbm: ['\\mathbb{#1}', 1], mathds: ['\\mathbb{#1}', 1], qedhere: '',
    texorpdfstring: ['#1', 2], xspace: '',
  };
  // Text within text, which MathJax refuses.
  const { CommandMap } = _.input.tex.TokenMap;
  const within = (body) => [_.input.tex.textmacros.TextMacrosMethods.TextMacrosMethods.Macro, body, 1];
  new CommandMap('scidraft-text', { text: within('#1'), mbox: within('#1'), ensuremath: within('$#1$') });
  _.input.tex.Configuration.Configuration.create('scidraft-text', {
    parser: 'text',
    handler: { macro: ['scidraft-text'] },
  });
  // Large operators typed as signs have their limits where those of the commands have them.
  const SIGNS = {
    '∑': 'sum', '∏': 'prod', '∐': 'coprod', '⋀': 'bigwedge', '⋁': 'bigvee', '⋂': 'bigcap', '⋃': 'bigcup', '⨀': 'bigodot',
    '⨁': 'bigoplus', '⨂': 'bigotimes', '⨄': 'biguplus', '⨆': 'bigsqcup',
  };
  const written = (command) => [_.input.tex.newcommand.NewcommandMethods.default.Macro, `\\${command}`];
  const signs = Object.entries(SIGNS).map(([sign, command]) => [sign, written(command)]);
  new _.input.tex.TokenMap.MacroMap('scidraft-signs', Object.fromEntries(signs));
  _.input.tex.Configuration.Configuration.create('scidraft-signs', { handler: { character: ['scidraft-signs'] } });
  // Text between rows is a row of its own, with more or less room around it; \rlap leaves the columns their widths.
  const BETWEEN = 'scidraft-between';
  const INTERTEXT = { intertext: '.5em', shortintertext: '.1em' };
  const EM = 1000; // units of the picture to one em of text
  const REL = 3; // TeX's class of relations, as MathJax counts
  const SLACK = 250; // units by which ink may stick out of the picture, as slanted letters do
  const NUMBER_GAP = 2; // em that a table of full width leaves free at its sides

  // Font data comes from the host, which cannot be called while a time limit holds: the drawing stops, names what it
  // `needed`, and is begun again with the text in `sources` (null: there is no such file).
  const sources = {};
  let needed = [];
  let current = '';

  function fontData(name) {
    const path = `${current}/${name}`;
    if (!(path in sources)) {
      needed.push(path);
      throw new Error(`${path} is not loaded yet`);
    }
    if (sources[path] === null) throw new Error(`there is no ${path}`);
    (0, eval)(sources[path]);
    sources[path] = '';
    return {};
  }

  globalThis.addSource = (path, text) => {
    sources[path] = text;
  };
  mathjax.asyncIsSynchronous = true;
  mathjax.asyncLoad = (name) => fontData(String(name).split('/').pop().replace(/\.js$/, ''));

  // Asking for a character takes MathJax's note of its file away: files that did not come must be loaded by name.
  const awaited = [];

  function awaitFiles(doc) {
    const files = doc.outputJax.font.constructor.dynamicFiles;
    for (const path of needed) {
      const file = files[path.split('/')[1]];
      if (file) awaited.push(Object.assign(file, { promise: null, failed: false }));
    }
  }

  const documents = {};
  let columnWidth; // em
  let rows; // the tags of the formula at hand, one entry a row

  // `extra`: the names of more packages, with spaces between them.
  function openDocument(font, extra) {
    current = font;
    const key = `${font} ${extra}`;
    if (documents[key]) return documents[key];
    const [family, cls] = FONT_CLASSES[font];
    MathJax.config.svg = { font: family };
    fontData('svg');
    (0, eval)(sources['mhchem/svg']);
    const tex = new _.input.tex_ts.TeX({
      // The braket package would take its commands from physics, which has them in its own way.
      packages: [...PACKAGES.filter((name) => !extra || name !== 'braket'), ...extra.split(' ').filter(Boolean)],
      macros: MACROS,
      textmacros: { packages: ['text-base', 'scidraft-text'] },
      tags: 'none',
      maxMacros: 5000,
      maxBuffer: 256 * 1024,
      formatError: (jax, error) => {
        error.fromTeX = true;
        throw error;
      },
    });
    const svg = new _.output.svg_ts.SVG({
      fontCache: 'none', // no ids, so any number of pictures may share a page; compressed, pages are no larger
      fontData: _.output.fonts[family].svg_ts[cls],
      dynamicPrefix: '',
      mtextInheritFont: false,
      displayOverflow: 'linebreak',
      linebreaks: { inline: false, width: '100%' },
    });
    tex.postFilters.add(({ data }) => {
      takeTags(data.root, data.nodeFactory);
      fixRelations(data.root, data.nodeFactory);
      fixWidths(data.root, columnWidth);
    });
    documents[key] = mathjax.document('', { InputJax: tex, OutputJax: svg });
    return documents[key];
  }

  // MathJax sets a tag as the first cell of a labelled row; the page sets it instead, as text.
  function takeTags(root, factory) {
    const labelled = [];
    root.walkTree((node) => node.isKind('mlabeledtr') && labelled.push(node));
    const tables = new Set(labelled.map((row) => row.parent));
    for (const table of tables) {
      rows = table.childNodes.map((row) => (row.isKind('mlabeledtr') ? plainText(row.childNodes[0]) : null));
      table.setChildren(
        table.childNodes.map((row) => {
          if (!row.isKind('mlabeledtr')) return row;
          return factory.create('node', 'mtr', row.childNodes.slice(1), row.attributes.getAllAttributes());
        })
      );
    }
  }

  // In flalign MathJax gives a relation that begins a cell the space of a sign, from the second pair of columns on.
  function fixRelations(root, factory) {
    root.walkTree((node) => {
      if (!node.isKind('mtable') || node.attributes.get('width') !== '100%') return;
      for (const cell of node.childNodes.flatMap((row) => row.childNodes)) {
        let [content] = cell.childNodes;
        while (content && content.childNodes.length === 1 && content.childNodes[0].isKind('mstyle')) {
          [content] = content.childNodes[0].childNodes;
        }
        const [first] = content ? content.childNodes : [];
        if (first && first.isKind('mo') && first.texClass === REL) {
          content.setChildren([factory.create('node', 'mi'), ...content.childNodes]);
        }
      }
    });
  }

  function plainText(node) {
    if (node.isKind('text')) return node.getText();
    return (node.childNodes || []).map(plainText).join('');
  }

  // Wide tables break inside their cells. MathJax would break left-hand sides too, and take back the width given to a
  // column of a table that has one (flalign, multline).
  const tables = _.output.svg.Wrappers.mtable.SvgMtable.prototype;
  const { adjustColumnWidths, breakColumn } = tables;
  const sum = (lengths) => lengths.reduce((total, length) => total + length, 0);

  tables.adjustColumnWidths = function (width) {
    const { W: natural } = this.getTableData();
    const sides = this.getColumnAttributes('columnalign', 0);
    const others = [...natural.keys()].filter((i) => sides[i] !== 'right').sort((i, j) => natural[i] - natural[j]);
    let room = width - sum([...this.cLines, ...this.cSpace]) - this.fSpace[0] - this.fSpace[2];
    room -= sum(natural.filter((_length, i) => sides[i] === 'right'));
    if (others.length === natural.length || room < width / 3) {
      adjustColumnWidths.call(this, width);
      return;
    }
    this.cWidths = [...natural];
    others.forEach((column, done) => {
      this.cWidths[column] = Math.min(natural[column], room / (others.length - done));
      room -= this.cWidths[column];
    });
  };

  tables.breakColumn = function (column, width, kind) {
    breakColumn.call(this, column, width, kind);
    if (this.node.attributes.get('width') !== 'auto') this.cWidths[column] = Math.max(width, this.cWidths[column]);
  };

  // A table as wide as its container has no size of its own: give it the width of the column.
  function fixWidths(root, width) {
    root.walkTree((node) => {
      if (node.isKind('mtable') && node.attributes.get('width') === '100%') {
        node.attributes.set('width', `${width - NUMBER_GAP}em`);
        if (!node.attributes.isSet('columnwidth')) node.attributes.set('columnwidth', 'fit'); // multline
      }
    });
  }

  // Attributes that no picture needs; what MathJax leaves to its style sheet is written out.
  function prune(node) {
    if (adaptor.kind(node) === '#text' || adaptor.kind(node) === '#comment') return;
    for (const { name } of adaptor.allAttributes(node)) {
      if (name.startsWith('data-') && name !== 'data-c') {
        const line = name === 'data-line' || name === 'data-frame';
        if (line) drawLine(node);
        adaptor.removeAttribute(node, name);
      }
      if (name === 'aria-hidden') adaptor.removeAttribute(node, name);
    }
    for (const child of adaptor.childNodes(node).slice()) prune(child);
    if (adaptor.kind(node) !== 'g') return;
    const children = adaptor.childNodes(node);
    if (children.length === 0) adaptor.remove(node);
    else if (adaptor.allAttributes(node).length === 0) {
      for (const child of children.slice()) adaptor.insert(child, node);
      adaptor.remove(node);
    }
  }

  function drawLine(node) {
    const style = adaptor.getAttribute(node, 'style') || '';
    const dash = (adaptor.getAttribute(node, 'class') || '').replace('mjx-', '');
    const width = /stroke-width: *([\d.]+)(em|px)?/.exec(style);
    const units = width ? Number(width[1]) * (width[2] === 'em' ? EM : 1) : 70;
    adaptor.setAttribute(node, 'fill', 'none');
    adaptor.setAttribute(node, 'stroke-width', String(units));
    if (dash === 'dashed') adaptor.setAttribute(node, 'stroke-dasharray', String(2 * units));
    if (dash === 'dotted') {
      adaptor.setAttribute(node, 'stroke-dasharray', `1 ${2 * units}`);
      adaptor.setAttribute(node, 'stroke-linecap', 'round');
    }
    adaptor.removeAttribute(node, 'class');
    adaptor.removeAttribute(node, 'style');
  }

  function isBox(node) {
    return adaptor.kind(node) === 'g';
  }

  function shift(node) {
    const found = /translate\(([-\d.]+), *([-\d.]+)\)/.exec(adaptor.getAttribute(node, 'transform') || '');
    return found ? Number(found[2]) : 0;
  }

  function isLine(node) {
    return !!adaptor.getAttribute(node, 'data-mjx-linebox');
  }

  function isRow(node) {
    return ['mtr', 'mlabeledtr'].includes(adaptor.getAttribute(node, 'data-mml-node'));
  }

  function isPunctuation(node) {
    const [glyph] = adaptor.childNodes(node);
    return !!glyph && adaptor.kind(glyph) === 'path' && ['2E', '2C', '3B', '3A', '21', '3F'].includes(adaptor.getAttribute(glyph, 'data-c'));
  }

  // The rows of the outermost table, or the lines a formula is broken into, with their baselines over the formula's own.
  function findRows(node, height) {
    const here = height + shift(node);
    const boxes = adaptor.childNodes(node).filter(isBox);
    for (const kind of [isRow, isLine]) {
      const rows = boxes.filter(kind);
      if (rows.length) return rows.map((row) => ({ height: here + shift(row), node: row }));
    }
    const drawn = adaptor.childNodes(node).filter((kid) => !isBox(kid) || adaptor.childNodes(kid).length);
    while (drawn.length > 1 && isPunctuation(drawn[drawn.length - 1])) drawn.pop();
    return drawn.length === 1 && isBox(drawn[0]) ? findRows(drawn[0], here) : [];
  }

  // The lowest baseline in a row: that of a broken cell's last line and, if `inside`, of an array that fills a cell.
  function lowest(row, inside) {
    const cells = adaptor.childNodes(row.node).filter(isBox);
    const heights = cells.map((cell) => {
      const found = findRows(cell, row.height);
      const last = found[found.length - 1];
      return last && (inside || isLine(last.node)) ? lowest(last, inside) : row.height;
    });
    return Math.min(row.height, ...heights);
  }

  // How far the ink of a node reaches to the left and right; curves as far as the points that pull them.
  function reach(node, left, scale, found) {
    const number = (name) => Number(adaptor.getAttribute(node, name)) || 0;
    const take = (...places) => {
      for (const place of places) {
        found.left = Math.min(found.left, left + scale * place);
        found.right = Math.max(found.right, left + scale * place);
      }
    };
    const kind = adaptor.kind(node);
    if (kind === '#text' || kind === '#comment') return found;
    const transform = adaptor.getAttribute(node, 'transform') || '';
    const shifted = /translate\(([-\d.]+)/.exec(transform);
    const scaled = /scale\(([-\d.]+)/.exec(transform);
    if (shifted) left += scale * Number(shifted[1]);
    if (scaled) scale *= Number(scaled[1]);
    if (kind === 'svg' && found.inside) take(number('x'), number('x') + number('width'));
    else if (kind === 'rect') take(number('x'), number('x') + number('width'));
    else if (kind === 'line') take(number('x1'), number('x2'));
    else if (kind === 'path') {
      for (const [, command, points] of (adaptor.getAttribute(node, 'd') || '').matchAll(/([A-Z])([^A-Z]*)/g)) {
        const numbers = (points.match(/-?[\d.]+/g) || []).map(Number);
        take(...(command === 'V' ? [] : command === 'H' ? numbers : numbers.filter((_number, i) => i % 2 === 0)));
      }
    } else {
      found.inside = true;
      for (const child of adaptor.childNodes(node)) reach(child, left, scale, found);
    }
    return found;
  }

  function reachOf(node, left) {
    return reach(node, left, 1, { left: Infinity, right: -Infinity });
  }

  // Text between rows begins at the left of the column, in whose middle the rows stand. Answers whether there is any.
  function spread(svg, box) {
    const found = [];
    const look = (node, left) => {
      const shifted = /translate\(([-\d.]+)/.exec(adaptor.getAttribute(node, 'transform') || '');
      const classes = adaptor.getAttribute(node, 'class') || '';
      if (classes.includes(BETWEEN)) found.push([node, left]);
      for (const child of adaptor.childNodes(node)) {
        if (isBox(child)) look(child, left + (shifted ? Number(shifted[1]) : 0));
      }
    };
    look(svg, 0);
    if (!found.length) return false;
    const column = columnWidth * EM;
    box.left = Math.min(box.left, box.left + (box.wide - column) / 2);
    box.wide = Math.max(box.wide, column);
    for (const [node, left] of found) {
      const transform = adaptor.getAttribute(node, 'transform') || '';
      const by = box.left - reachOf(node, left).left;
      adaptor.setAttribute(node, 'transform', `translate(${Math.round(by)},0) ${transform}`.trim());
    }
    return true;
  }

  // The picture's frame: what MathJax gives no room, as labels beside an arrow of CD, has its room here.
  function frame(svg) {
    const [left, top, wide, tall] = adaptor.getAttribute(svg, 'viewBox').split(' ').map(Number);
    const box = { left, top, wide, tall };
    if (spread(svg, box)) return box;
    const ink = reachOf(svg, 0);
    const before = left - ink.left > SLACK ? left - ink.left : 0;
    const after = ink.right - left - wide > SLACK ? ink.right - left - wide : 0;
    return { left: left - before, top, wide: wide + before + after, tall };
  }

  globalThis.drawFormula = (tex, display, font, macros, width, extra) => {
    let doc;
    needed = [];
    try {
      doc = openDocument(font, extra);
      for (const file of awaited.splice(0)) doc.outputJax.font.loadDynamicFileSync(file);
      const [input] = doc.inputJax;
      input.reset();
      for (const table of ['new-Command', 'new-Environment', 'new-Delimiter']) {
        input.parseOptions.handlers.retrieve(table).map.clear();
      }
      const commands = input.parseOptions.handlers.retrieve('new-Command');
      const { Macro } = _.input.tex.newcommand.NewcommandMethods.default;
      for (const [name, room] of Object.entries(INTERTEXT)) {
        const text = `\\class{${BETWEEN}}{\\rlap{\\bbox[${room}]{\\textstyle\\parbox{${width}em}{#1}}}}\\hfill \\\\`;
        commands.add(name, new _.input.tex.Token.Macro(name, Macro, [text, 1]));
      }
      for (const [name, body, count, given, provided] of JSON.parse(macros)) {
        if (provided && input.parseOptions.handlers.get('macro').lookup(name)) continue;
        commands.add(name, new _.input.tex.Token.Macro(name, Macro, given === null ? [body, count] : [body, count, given]));
      }
      rows = null;
      columnWidth = width;
      // MathJax scales its font so that the x-heights agree: with the font's own x-height the scale is 1.
      const em = 16;
      const ex = em * doc.outputJax.font.params.x_height;
      const container = doc.convert(tex, { display, em, ex, containerWidth: width * em });
      if (needed.length) throw new Error('font data is missing');
      const svg = adaptor.firstChild(container);
      const box = frame(svg);
      const depth = box.top + box.tall;
      const found = findRows(svg, 0);
      const last = found.length ? lowest(found[found.length - 1], true) : 0;
      const broken = found.length > 0 && isLine(found[0].node);
      const answer = {
        viewBox: [box.left, box.top, box.wide, box.tall].join(' '),
        rows: (found.length ? found.map((row) => lowest(row, false)) : [0]).map((height) => height + depth),
        whole: depth + (broken ? last : 0),
        last: depth + last,
        numbers: rows,
      };
      prune(svg);
      answer.body = adaptor.childNodes(svg).map((node) => adaptor.serializeXML(node)).join('');
      return JSON.stringify(answer);
    } catch (error) {
      if (needed.length) {
        if (doc) awaitFiles(doc);
        return JSON.stringify({ needed });
      }
      return JSON.stringify({ error: error.message, fromTeX: !!error.fromTeX, stack: String(error.stack) });
    }
  };
})();
