// Writes one TeX formula as MathML with Temml, inside quickjs-ng. The host calls writeFormula(…).
(function () {
  // What LaTeX packages define and Temml lacks or takes for something else. The proof mark is set by the page.
  const MACROS = {
    '\\allowdisplaybreaks': '', '\\mathbbm': '\\mathbb{#1}', '\\mathds': '\\mathbb{#1}', '\\prescript': '{}^{#1}_{#2}{#3}',
    '\\qedhere': '', '\\texorpdfstring': '\\@firstoftwo', '\\xspace': '',
  };

  // Links, classes and styles are left to the other engine, which checks them.
  function refuse(context) {
    throw new Error(`${context.command} is not trusted`);
  }

  globalThis.writeFormula = (tex, display) => {
    try {
      const options = { displayMode: display, throwOnError: true, strict: false, trust: refuse, macros: { ...MACROS } };
      return JSON.stringify({ markup: temml.renderToString(tex, options) });
    } catch (error) {
      return JSON.stringify({ error: error.message });
    }
  };
})();
