"""Answers that a reader may well give to the exercises of chapter 22."""

from __future__ import annotations

WRONG: dict[str, list[str]] = {
    "22.1": [
        # The slopes of the first parent alone.
        """
def tangent_lines(v, name):
    inputs = [name[p] for p in v.parents]
    slope = RULES[v._op][1].format(*inputs, y=name[v])
    return f"{name[v]}_dot = {slope} * {inputs[0]}_dot"
""",
        # The tangents added up without their slopes.
        """
def tangent_lines(v, name):
    terms = [f"{name[p]}_dot" for p in v.parents]
    return f"{name[v]}_dot = {' + '.join(terms)}"
""",
        # The other way: from the result to the parents.
        """
def tangent_lines(v, name):
    inputs = [name[p] for p in v.parents]
    terms = [f"{slope.format(*inputs, y=name[v])} * {name[v]}_dot"
             for slope in RULES[v._op][1:]]
    return f"{name[v]}_dot = {' + '.join(terms)}"
""",
        # Each parent with the other one's slope.
        """
def tangent_lines(v, name):
    inputs = [name[p] for p in v.parents]
    terms = [f"{slope.format(*inputs, y=name[v])} * {i}_dot"
             for slope, i in zip(RULES[v._op][1:], inputs[::-1])]
    return f"{name[v]}_dot = {' + '.join(terms)}"
""",
        # The slots of the slopes are left open.
        """
def tangent_lines(v, name):
    terms = [f"{slope} * {name[p]}_dot"
             for p, slope in zip(v.parents, RULES[v._op][1:])]
    return f"{name[v]}_dot = {' + '.join(terms)}"
""",
        # Products are written out, whatever the operation.
        """
def tangent_lines(v, name):
    a, b = (name[p] for p in (*v.parents, *v.parents)[:2])
    return f"{name[v]}_dot = {a} * {b}_dot + {b} * {a}_dot"
""",
    ],
    "22.2": [
        "distinct = len",
        # Equal lines alone, without the names that have been merged.
        "distinct = lambda calls: len({call[1:] for call in calls})",
        # a + b and b + a as one.
        """
def distinct(calls):
    first, known = {}, {}
    for name, op, a, b in calls:
        key = op, frozenset((first.get(a, a), first.get(b, b)))
        first[name] = known.setdefault(key, name)
    return len(known)
""",
        # Names are merged, and the operation is forgotten.
        """
def distinct(calls):
    first, known = {}, {}
    for name, op, a, b in calls:
        key = first.get(a, a), first.get(b, b)
        first[name] = known.setdefault(key, name)
    return len(known)
""",
        # By value, at one number: different calls may give the same there.
        """
def distinct(calls):
    value = {"x": 1.0}
    for name, op, a, b in calls:
        value[name] = eval(f"value[a] {op} value[b]")
    return len({value[name] for name, *_ in calls})
""",
        # What nobody reads is left out, too.
        """
def distinct(calls):
    read = {v for _, _, a, b in calls for v in (a, b)} | {calls[-1][0]}
    return len({call[1:] for call in calls if call[0] in read})
""",
    ],
    "22.3": [
        "buffers = len",
        "buffers = lambda calls: 2",
        # An operand's buffer is taken for the result of the call that reads it last.
        """
def buffers(calls):
    last = {name: k for k, (name, *_) in enumerate(calls)}
    for k, (_, _, *operands) in enumerate(calls):
        last.update(dict.fromkeys(operands, k))
    free = made = 0
    for k, (name, _, *operands) in enumerate(calls):
        free += len({v for v in operands if v != "x" and last[v] == k})
        free, made = (free - 1, made) if free else (0, made + 1)
        free += last[name] == k
    return made
""",
        # x has a buffer.
        """
def buffers(calls):
    last = {name: k for k, (name, *_) in enumerate(calls)}
    for k, (_, _, *operands) in enumerate(calls):
        last.update(dict.fromkeys(operands, k))
    free, made = 0, 1
    for k, (name, _, *operands) in enumerate(calls):
        free, made = (free - 1, made) if free else (0, made + 1)
        free += len({v for v in (name, *operands) if last[v] == k})
    return made
""",
        # A result that nobody reads keeps its buffer.
        """
def buffers(calls):
    last = {}
    for k, (_, _, *operands) in enumerate(calls):
        last.update(dict.fromkeys(operands, k))
    free = made = 0
    for k, (name, _, *operands) in enumerate(calls):
        free, made = (free - 1, made) if free else (0, made + 1)
        free += len({v for v in operands if v != "x" and last[v] == k})
    return made
""",
        # An operand that is read twice by one call frees two buffers.
        """
def buffers(calls):
    last = {name: k for k, (name, *_) in enumerate(calls)}
    for k, (_, _, *operands) in enumerate(calls):
        last.update(dict.fromkeys(operands, k))
    free = made = 0
    for k, (name, _, *operands) in enumerate(calls):
        free, made = (free - 1, made) if free else (0, made + 1)
        free += sum(v != "x" and last[v] == k for v in (name, *operands))
    return made
""",
    ],
    "22.4": [
        "where = lambda k: 1.0",
        "where = lambda k: float('inf')",
        "where = lambda k: 0.1 if k in (1, 2, 4, 6, 7, 8) else None",
        # Overflow in the middle is not seen.
        """
def where(k):
    return {1: float("inf"), 2: float("inf"), 4: 3.0, 7: 1e-20, 8: 0.1}.get(k)
""",
        # 0.1 is taken for a tenth.
        """
def where(k):
    places = {1: float("inf"), 2: float("inf"), 6: 1e308, 7: 1e-20, 8: 0.1}
    return places.get(k)
""",
        # -0 is taken to differ from itself negated twice.
        """
def where(k):
    places = {1: float("inf"), 2: float("inf"), 4: 3.0, 5: -0.0, 6: 1e308,
              7: 1e-20, 8: 0.1}
    return places.get(k)
""",
    ],
}

RIGHT: dict[str, list[str]] = {
    "22.1": [
        # The tangent first, and a sum that begins with 0.
        """
def tangent_lines(v, name):
    line = f"{name[v]}_dot = 0.0"
    for k, p in enumerate(v.parents, 1):
        slope = RULES[v._op][k].format(*(name[q] for q in v.parents), y=name[v])
        line += f" + {name[p]}_dot * ({slope})"
    return line
""",
        """
def tangent_lines(v, name):
    formulas = {"+": "{0}_dot + {1}_dot", "-": "{0}_dot - {1}_dot",
                "*": "{0} * {1}_dot + {1} * {0}_dot",
                "tanh": "{0}_dot - {0}_dot * {y} ** 2"}
    inputs = [name[p] for p in v.parents]
    return f"{name[v]}_dot = " + formulas[v._op].format(*inputs, y=name[v])
""",
    ],
    "22.2": [
        # Each value written out, as the check does it.
        """
def distinct(calls):
    full = {"x": "x"}
    for name, op, a, b in calls:
        full[name] = op, full[a], full[b]
    return len({full[name] for name, *_ in calls})
""",
        # Again and again, until nothing changes.
        """
def distinct(calls):
    while True:
        first, same = {}, {}
        for name, *call in calls:
            same[name] = first.setdefault(tuple(call), name)
        less = [(name, op, same.get(a, a), same.get(b, b))
                for name, op, a, b in calls if same[name] == name]
        if len(less) == len(calls):
            return len(calls)
        calls = less
""",
    ],
    "22.3": [
        # By the most results that are alive at once.
        """
def buffers(calls):
    most, alive = 0, set()
    for k, (name, *_) in enumerate(calls):
        alive.add(name)
        most = max(most, len(alive))
        read_later = {v for _, _, *operands in calls[k + 1:] for v in operands}
        alive &= read_later
    return most
""",
        # With the buffers by their numbers.
        """
def buffers(calls):
    place, free, made = {}, [], 0
    for k, (name, _, a, b) in enumerate(calls):
        if not free:
            free.append(made)
            made += 1
        place[name] = free.pop()
        later = [v for _, _, *operands in calls[k + 1:] for v in operands]
        for v in [v for v in place if v not in later]:
            free.append(place.pop(v))
    return made
""",
    ],
    "22.4": [
        """
def where(k):
    places = {1: -1.0, 2: float("nan"), 4: 7, 6: -1.7e308, 7: 0.1, 8: 1e-5}
    return places.get(k)
""",
        # By search.
        """
def where(k):
    numbers = [n / 10 for n in range(-50, 50)] + [1e-20, 1e308, float("inf")]
    return next((x for x in numbers if differ_at(k, x)), None)
""",
    ],
}
