// An editor for a cell, coloured by the classes of the static code: it follows the theme,
// and looks as the page did before.
import { closeBrackets, closeBracketsKeymap } from "./lib/codemirror-autocomplete.mjs";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "./lib/codemirror-commands.mjs";
import { python } from "./lib/codemirror-lang-python.mjs";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "./lib/codemirror-language.mjs";
import { EditorState } from "./lib/codemirror-state.mjs";
import { EditorView, keymap } from "./lib/codemirror-view.mjs";
import { pygments } from "./highlight.mjs";

// run: for Jupyter's keys, with the next step: "next", "stay" or "add"; changed: called
// after each change of the text.
export function editor({ text, label, run, changed }) {
  const leave = {
    key: "Escape",
    run: (view) => (view.setTabFocusMode(true), true),
  };
  const view = new EditorView({
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "Shift-Enter", run: () => (run("next"), true) },
          { key: "Mod-Enter", run: () => (run("stay"), true) },
          { key: "Alt-Enter", run: () => (run("add"), true) },
          leave,
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
        history(),
        python(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        syntaxHighlighting(pygments),
        EditorView.editorAttributes.of({ class: "live-editor highlight" }),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed();
        }),
        // After Escape the Tab key moves on, until the editor is entered again.
        EditorView.domEventHandlers({
          blur: () => { view.setTabFocusMode(false); },
        }),
      ],
    }),
  });
  return view;
}
