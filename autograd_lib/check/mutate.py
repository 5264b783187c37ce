"""Small changes of a syntax tree, each of which a test should notice.

They are the slips of people who write rules: a sign, a factor, a sum or a transpose
left out, operands in the wrong order, one more or one less, a condition the wrong way
round, what is added replaced.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from autograd_lib.check.plant import Replace

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OTHER: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
ORDERED = (ast.Sub, ast.Div, ast.MatMult, ast.Pow)
Code = TypeVar("Code", ast.FunctionDef, ast.Module)
REMAINS = ("sum", "mean", "transpose", "swapaxes", "reshape", "expand_dims", "flip")


@dataclass(frozen=True)
class Change:
    """One change of code: of which part, and what stands there instead."""

    number: int
    new: ast.AST

    def made(self, tree: Code) -> Code:
        """Return a changed copy."""
        changed = copy.deepcopy(tree)
        Replace(nodes_to_change(changed)[self.number], self.new).visit(changed)
        return changed


def described(
    tree: ast.FunctionDef | ast.Module, find: Callable[[ast.AST], Iterator[ast.AST]]
) -> dict[str, Change]:
    """Return changes by what they do; where two read the same, they are numbered."""
    found: dict[str, Change] = {}
    for i, node in enumerate(nodes_to_change(tree)):
        for change in find(node):
            new = ast.fix_missing_locations(ast.copy_location(change, node))
            text = name = f"{source_of(node)} → {source_of(new)}"
            number = 1
            while name in found:
                number += 1
                name = f"{text} ({number})"
            found[name] = Change(i, new)
    return found


def source_of(node: ast.AST) -> str:
    """Return a node as source; of an if, the line with the condition."""
    return ast.unparse(node).partition(":\n")[0]


def nodes_to_change(tree: ast.FunctionDef | ast.Module) -> list[ast.AST]:
    """Return the nodes of a body, without docstrings, errors and checks."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(reversed(tree.body))
    while pending:
        node = pending.pop()
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        strict = isinstance(node, ast.keyword) and node.arg == "strict"  # zip's check
        if text or strict or isinstance(node, ast.Raise | ast.JoinedStr):
            continue
        found.append(node)
        below = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.FunctionDef):
            below = list(node.body)
        elif isinstance(node, ast.AnnAssign):
            below = [node.value] if node.value is not None else []
        pending += reversed(below)
    return found


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what could stand in the place of a node by mistake."""
    yield from slips_in_arithmetic(node)
    yield from slips_in_calls(node)
    yield from slips_in_conditions(node)
    yield from slips_in_statements(node)


def slips_in_arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    """Yield other signs, factors, orders and constants."""
    match node:
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield operand
        case ast.BinOp(left, op, right):
            if type(op) in OTHER:
                yield ast.BinOp(left, OTHER[type(op)](), right)
            if isinstance(op, ast.Mult | ast.Div):
                yield left
            if isinstance(op, ast.Mult):
                yield right
            if isinstance(op, ORDERED):
                yield ast.BinOp(right, op, left)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1)


def slips_in_calls(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is left where a call or a transpose is forgotten."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("np"), name), [first, *_]):
            if name in REMAINS or name == "broadcast_to":
                yield first
        case ast.Call(ast.Attribute(value, name)):
            if name in REMAINS:
                yield value
        case ast.Call(ast.Name(name), [first, _, *_]):
            if not hasattr(builtins, name):
                yield first
        case ast.Attribute(value, "T"):
            yield value


def slips_in_conditions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield conditions the wrong way round."""
    match node:
        case ast.Compare(left, [op], [right]):
            yield ast.Compare(left, [FLIPPED[type(op)]()], [right])
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.If(test, body, orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)


def slips_in_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacing for adding, and nothing for writing and calling."""
    match node:
        case ast.AugAssign(target, op, value):
            yield ast.Assign([target], value)
            if type(op) in OTHER:
                yield ast.AugAssign(target, OTHER[type(op)](), value)
        case ast.Assign([ast.Attribute() | ast.Subscript()]) | ast.Expr(ast.Call()):
            yield ast.Pass()
