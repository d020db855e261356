// What the browser tests ask of a page; each function returns a list of faults, as words.
globalThis.checks = (() => {
  const words = (node) => (node.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 40);
  const path = (element) => {
    const names = [];
    for (let at = element; at && at !== document.body && names.length < 4; at = at.parentElement) {
      names.unshift(at.localName + (at.id ? `#${at.id}` : [...at.classList].map((name) => `.${name}`).join("")));
    }
    return names.join(" > ");
  };
  const upwards = function* (element) {
    for (let at = element; at; at = at.parentElement) yield at;
  };
  const style = (element) => getComputedStyle(element);
  const boxes = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
  };

  // Text that is meant for no eyes: what only helps copying and screen readers, the form for another width, closed details.
  const unseen =
    ".formula-source, .formula-spoken *, .qed:not(.sign), script, style, title, desc, annotation, details:not([open]) > :not(summary) *";
  const shownElsewhere = (element) => {
    const math = element.closest(".math.wide, .math.narrow");
    return math !== null && style(math).display === "none";
  };
  const texts = function* () {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      if (node.data.replace(/[\s\u2061-\u2064]/g, "") && !parent.matches(unseen) && !shownElsewhere(parent)) yield [node, parent];
    }
  };

  // Colours of any notation, by painting them.
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [red, green, blue, alpha / 255]);
    }
    return known.get(colour);
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  // What is painted below a piece of text: boxes that hold it, and in drawings the shapes under its middle.
  const ground = (element, box) => {
    const layers = [];
    const drawing = element.closest("svg");
    if (drawing) {
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      for (const shape of [...drawing.querySelectorAll("rect, polygon, circle, ellipse, path")].reverse()) {
        const around = shape.getBoundingClientRect();
        const fill = style(shape).fill;
        const inside = around.left <= x && x <= around.right && around.top <= y && y <= around.bottom;
        if (inside && fill !== "none" && shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) {
          layers.push(rgba(fill));
        }
      }
    }
    for (const holder of upwards(element)) layers.push(rgba(style(holder).backgroundColor));
    const painted = layers.findIndex((layer) => layer[3] === 1);
    const stack = painted < 0 ? [...layers, [255, 255, 255, 1]] : layers.slice(0, painted + 1);
    return stack.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };

  return {
    sideways() {
      const root = document.documentElement;
      if (root.scrollWidth <= innerWidth) return [];
      const wide = [...document.body.querySelectorAll("*")].find((each) => each.getBoundingClientRect().right > innerWidth + 1);
      return [`the page is ${root.scrollWidth}px wide in ${innerWidth}px: ${wide ? path(wide) : "?"}`];
    },

    cut() {
      const faults = [];
      for (const [node, parent] of texts()) {
        const shown = boxes(node);
        if (shown.length === 0) {
          faults.push(`not shown: “${words(node)}” in ${path(parent)}`);
          continue;
        }
        const holders = [...upwards(parent)];
        if (holders.some((each) => style(each).visibility === "hidden")) faults.push(`hidden: “${words(node)}” in ${path(parent)}`);
        if (holders.some((each) => ["auto", "scroll"].includes(style(each).overflowX) && each !== document.documentElement)) continue;
        const clip = holders.find((each) => each !== document.documentElement && ["hidden", "clip"].includes(style(each).overflowX));
        const room = clip && !clip.matches(".qed") ? clip.getBoundingClientRect() : { left: 0, right: innerWidth };
        if (shown.some((box) => box.left < room.left - 1 || box.right > room.right + 1)) {
          faults.push(`cut: “${words(node)}” in ${path(parent)}`);
        }
      }
      for (const picture of document.querySelectorAll("img")) {
        if (!picture.complete || picture.naturalWidth === 0) faults.push(`no picture: ${picture.src}`);
      }
      return faults;
    },

    overlapping() {
      const faults = [];
      const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
      const notes = [...document.querySelectorAll(".sidenote")];
      notes.forEach((note, index) => {
        const box = note.getBoundingClientRect();
        if (notes.slice(index + 1).some((other) => meet(box, other.getBoundingClientRect()))) faults.push(`note on note: “${words(note)}”`);
      });
      for (const mark of document.querySelectorAll(".statement .qed")) {
        const [own, room] = [mark, mark.closest(".statement")].map((each) => each.getBoundingClientRect());
        if (own.top < room.top || own.bottom > room.bottom + 2) faults.push(`a mark outside its proof: ${path(mark)}`);
      }
      for (const number of document.querySelectorAll(".equation > :is(.equation-number, .qed)")) {
        const formulas = [...number.parentElement.querySelectorAll(".math > svg")].filter((each) => each.getClientRects().length);
        const room = number.parentElement.querySelector(".math")?.getBoundingClientRect();
        for (const formula of formulas) {
          const drawn = formula.getBoundingClientRect();
          const seen = { left: drawn.left, top: drawn.top, bottom: drawn.bottom, right: Math.min(drawn.right, room?.right || drawn.right) };
          if (meet(seen, number.getBoundingClientRect())) faults.push(`a number on its formula: ${path(number)} “${words(number)}”`);
        }
      }
      return faults;
    },

    contrast() {
      const faults = [];
      for (const [node, parent] of texts()) {
        const box = boxes(node)[0];
        if (!box || parent.closest(".permalink")) continue;
        const below = ground(parent, box);
        const seen = style(parent);
        const ink = rgba(parent.closest("svg") ? seen.fill : seen.color);
        const opacity = [...upwards(parent)].reduce((product, each) => product * Number(style(each).opacity), 1);
        const found = ratio(over([...ink.slice(0, 3), ink[3] * opacity], below), below);
        if (found < 4.5) faults.push(`${found.toFixed(2)}: “${words(node)}” in ${path(parent)}`);
      }
      for (const formula of document.querySelectorAll(".math > svg")) {
        const box = formula.getBoundingClientRect();
        if (!box.width) continue;
        const below = ground(formula.parentElement, box);
        const found = ratio(over(rgba(style(formula).color), below), below);
        if (found < 4.5) faults.push(`${found.toFixed(2)}: ${path(formula)}`);
      }
      return faults;
    },

    identifiers() {
      const all = [...document.querySelectorAll("[id]")].map((each) => each.id);
      const twice = all.filter((each, index) => all.indexOf(each) < index).map((each) => `twice: #${each}`);
      const lost = [...document.querySelectorAll('[href^="#"]')]
        .filter((link) => !document.getElementById(decodeURIComponent(link.getAttribute("href").slice(1))))
        .map((link) => `leads nowhere: ${link.getAttribute("href")}`);
      const named = [...document.querySelectorAll("[aria-labelledby], [aria-describedby]")]
        .flatMap((each) => `${each.getAttribute("aria-labelledby") ?? ""} ${each.getAttribute("aria-describedby") ?? ""}`.split(/\s+/))
        .filter((each) => each && !document.getElementById(each))
        .map((each) => `no element for a name: #${each}`);
      return [...twice, ...lost, ...named];
    },
  };
})();
