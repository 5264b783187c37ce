"""The weights that the package keeps for pages in a browser (chapter 20)."""

import numpy as np
import pytest

from autograd_lib.engine import no_grad
from autograd_lib.nn.gpt import GPT
from autograd_lib.nn.state import load
from autograd_lib.text import Alphabet, book_text
from notebooks.notebook import ROOT

HELD_OUT = 16_640  # characters at the end of the text, from which it did not learn


def test_the_kept_weights_predict_the_text_of_this_edition() -> None:
    """After a new text, `python -m benchmarks.gpt_seeds --keep` makes them anew."""
    text = book_text()
    alphabet = Alphabet(text)
    state = load(ROOT / "autograd_lib" / "gpt.npz")
    curve, in_training = map(dict, state.pop("losses").tolist())
    assert set(curve) - set(in_training) == {0}
    model = GPT(len(alphabet), 64, 64, 4, 2)
    model.load_state_dict({k: w.astype(np.float32) for k, w in state.items()})
    pieces = alphabet.encode(text[-HELD_OUT:]).reshape(-1, 65)
    with no_grad():
        scores = model(pieces[:, :-1])[:, 48:]
        loss = scores.cross_entropy(pieces[:, 49:]).item()
    assert curve[4000] < 1.45
    assert loss == pytest.approx(curve[4000], abs=0.03)
