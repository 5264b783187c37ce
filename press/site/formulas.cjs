// Renders TeX with MathJax, without a browser: node formulas.cjs FOLDER FONTS < jobs > answer
// FOLDER holds MathJax 3; FONTS is where the style sheet will look for them. A job is
// [tex, display]; the answer has the HTML or the error of each, and the style sheet.
const [folder, fontURL] = process.argv.slice(2);
const { init } = require(`${folder}/node-main.js`);

// The page's font size, since nothing is measured; a mistake is an error here instead of
// red letters on the page.
const CONFIG = {
  loader: { load: ["input/tex-full", "output/chtml", "a11y/assistive-mml"] },
  tex: {
    packages: { "[-]": ["noundefined", "noerrors", "require", "autoload"] },
    formatError: (_, error) => { throw error; },
  },
  chtml: { matchFontHeight: false, scale: 1.1, fontURL },
  options: { enableAssistiveMml: true },
  startup: { typeset: false },
};

function render(mathjax, [tex, display]) {
  const html = mathjax.startup.adaptor.outerHTML(mathjax.tex2chtml(tex, { display }));
  // A character in no font of MathJax would have the browser's width.
  if (html.includes("<mjx-utext")) throw new Error("MathJax has no such sign");
  return html;
}

async function main() {
  const jobs = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const mathjax = await init(CONFIG);
  const rendered = jobs.map((job) => {
    try {
      return { html: render(mathjax, job) };
    } catch (error) {
      return { error: error.message };
    }
  });
  const style = mathjax.startup.adaptor.textContent(mathjax.chtmlStylesheet());
  process.stdout.write(JSON.stringify({ rendered, style }));
}

main().catch((error) => { console.error(error); process.exit(1); });
