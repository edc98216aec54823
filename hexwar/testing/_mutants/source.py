"""Mistakes in Python source: what a competent author gets wrong, and nothing that only changes words.

Left out are docstrings, texts for people, annotations, imports, decorators, assertions and invariants, reprs, the names under
which things are saved or cited (`kind`, `clause`) and whatever compiles to the same bytecode.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from enum import EnumType
from functools import cache
from itertools import pairwise
from types import CodeType

from hexwar import engine, mechanics
from hexwar.testing._mutants.edits import Edit

_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
}
_REACHED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: (r"\|", "&"),
}
_CALLED = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
    "sorted": "",
    "reversed": "list",
}
_METHODS = {"union": "intersection", "intersection": "union", "issubset": "issuperset", "issuperset": "issubset"}
_OTHER = re.compile(r"enemy|enemies|foe|other_side|opponent")
_EMPTY = {
    "list": "[]",
    "dict": "{}",
    "set": "set()",
    "frozenset": "frozenset()",
    "tuple": "()",
    "Sequence": "()",
    "Mapping": "{}",
}
_WORDS = {
    "kind",
    "title",
    "summary",
    "version",
    "credits",
    "maturity",
    "description",
    "clause",
    "bound",
    "text",
    "name",
    "help",
    "__all__",
}
"""Arguments and attributes that only name or explain; the bound of a scenario is a guess that nobody may reach."""
_UNALIKE = (ast.Constant, ast.JoinedStr, ast.Starred, ast.GeneratorExp, ast.Lambda)
"""Arguments that nobody takes for another."""
_SILENT = {"__repr__", "__str__", "prompt"}
_EITHER_WAY = {"distance", "adjacent", "side", "min", "max"}
"""Functions of two arguments whose order does not matter: the first three are about two hexes."""
_TYPE = re.compile(r"(\w+\.)*[A-Z]\w*[a-z]\w*|type|tuple|list|dict|set|frozenset|None")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def source_edits(text: bytes, sides: Sequence[str] = ()) -> list[Edit]:
    """All mistakes that a module can have.

    Args:
        text: the module.
        sides: the sides of the game, which are easily taken for each other.
    """
    tree = ast.parse(text)
    finder = _Finder(text, tree, sides)
    finder.walk(tree)
    return sorted(finder.found, key=lambda edit: (edit.start, edit.end, edit.new, edit.what))


def is_other_code(text: bytes, changed: bytes) -> bool:
    """Whether a module that was changed compiles, and to other bytecode than before."""
    try:
        return _plain(compile(text, "", "exec", dont_inherit=True)) != _plain(compile(changed, "", "exec", dont_inherit=True))
    except (SyntaxError, ValueError):
        return False


def _plain(code: CodeType) -> tuple[object, ...]:
    constants = tuple(_plain(one) if isinstance(one, CodeType) else (type(one), repr(one)) for one in code.co_consts)
    return code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable, constants


class _Finder:
    """Walks a module and puts down what can go wrong."""

    def __init__(self, text: bytes, tree: ast.Module, sides: Sequence[str]) -> None:
        self.found: list[Edit] = []
        self._text, self._sides, self._span = text, sides, (1, 1)
        self._starts = [0, *(place.end() for place in re.finditer(rb"\n", text))]
        everything = list(ast.walk(tree))
        self._names = sorted(set(_compared_names(everything)))
        self._indices = {id(node.slice) for node in everything if isinstance(node, ast.Subscript)}
        # Where something is looked for among others, their order does not matter.
        among = [zip(node.ops, node.comparators, strict=True) for node in everything if isinstance(node, ast.Compare)]
        self._indices |= {id(right) for pairs in among for sign, right in pairs if isinstance(sign, ast.In | ast.NotIn)}
        self._last = {id(node.body[-1]) for node in everything if isinstance(node, ast.FunctionDef | ast.Try)}
        self._asserting = {
            part.id
            for node in everything
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Invariant"
            for part in ast.walk(node)
            if isinstance(part, ast.Name)
        }
        self._enums = _shared_enums() | {
            node.name: [ast.unparse(part.targets[0]) for part in node.body if isinstance(part, ast.Assign)]
            for node in everything
            if isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases)
        }

    def walk(self, node: ast.AST, promise: str = "") -> None:
        """Put down the mistakes in a node and in what it holds; `promise` is what the function around it returns."""
        if self._explains(node):
            return
        if isinstance(node, ast.FunctionDef):
            promise = ast.unparse(node.returns) if node.returns else ""
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            self._span = (node.lineno, max(node.lineno, last))
        self._look(node, promise)
        span = self._span
        for field, value in ast.iter_fields(node):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST) and field not in _passed(node):
                    self._span = span
                    self.walk(part, promise)

    def _explains(self, node: ast.AST) -> bool:
        """Whether nothing in there is a rule."""
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                return True
            case ast.FunctionDef(name=name):
                return name in _SILENT or name in self._asserting
            case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.keyword(arg=str(name)):
                return name in _WORDS
            case ast.AnnAssign(target=target, annotation=annotation):
                return ast.unparse(target) in _WORDS or "TypeAlias" in ast.unparse(annotation)
            case ast.If(test=test):
                return "TYPE_CHECKING" in ast.unparse(test)
            case ast.Call(func=function):
                return _word(function) in ("isinstance", "issubclass", "cast", "getattr", "TypeVar", "Invariant")
            case ast.BinOp(left=left, right=right):
                return _is_text(left) or _is_text(right)
            case ast.IfExp(body=one, orelse=other):
                return all(_is_text(part) and not _NAME.fullmatch(self._says(part)[1:-1]) for part in (one, other))
        return False

    # -- places ---------------------------------------------------------------------------------------------------------------

    def _place(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset

    def _says(self, node: ast.expr) -> str:
        start, end = self._place(node)
        return self._text[start:end].decode()

    def _put(self, node: ast.expr | ast.stmt, new: str, what: str) -> None:
        self._between(*self._place(node), new, what, node.lineno)

    def _between(self, start: int, end: int, new: str, what: str, line: int) -> None:
        self.found.append(Edit(start, end, new.encode(), what, line, self._span))

    def _sign(self, left: ast.expr, right: ast.expr, signs: tuple[str, str], what: str) -> None:
        """Another operator between two operands."""
        start = self._place(left)[1]
        gap = self._text[start : self._place(right)[0]].decode()
        place = re.search(signs[0], gap)
        if place is not None:
            self._between(start + place.start(), start + place.end(), signs[1], what, left.end_lineno or left.lineno)

    def _condition(self, node: ast.expr, *instead: str) -> None:
        if not isinstance(node, ast.Constant) and not any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            for word in instead:
                self._put(node, word, "dropped condition")

    def _word_at_end(self, node: ast.Attribute, new: str, what: str) -> None:
        end = self._place(node)[1]
        self._between(end - len(node.attr), end, new, what, node.end_lineno or node.lineno)

    # -- mistakes -------------------------------------------------------------------------------------------------------------

    def _look(self, node: ast.AST, promise: str) -> None:
        """Put down what can be wrong with a node itself."""
        match node:
            case ast.FunctionDef():
                self._function(node, promise)
            case ast.Return(value=value):
                if id(node) not in self._last:
                    self._put(node, "pass", "dropped statement")
                if value is not None:
                    self._returned(value, promise)
            case ast.Expr() | ast.Delete() | ast.Continue() | ast.Break() | ast.Raise():
                self._put(node, "pass", "dropped statement")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):  # a local variable cannot be forgotten
                self._put(node, "pass", "dropped statement")
            case ast.AugAssign(op=op, target=target, value=value):
                self._put(node, "pass", "dropped statement")
                if type(op) in _REACHED:
                    old, new = _REACHED[type(op)]
                    self._sign(target, value, (f"{old}=", f"{new}="), "arithmetic")
            case ast.If(test=test) | ast.IfExp(test=test):
                self._condition(test, "True", "False")
            case ast.While(test=test):
                self._condition(test, "False")
            case ast.comprehension(ifs=tests):
                for test in tests:
                    self._condition(test, "True")
            case ast.For():
                self._loop(node)
            case ast.Compare(left=left, ops=signs, comparators=others):
                for (one, other), sign in zip(pairwise([left, *others]), signs, strict=True):
                    told = _COMPARED[type(sign)]
                    self._sign(one, other, told, "boundary" if told[0][0] in "<>" else "comparison")
            case ast.BoolOp(op=op, values=values):
                old, new, ignored = ("and", "or", "True") if isinstance(op, ast.And) else ("or", "and", "False")
                for one, other in pairwise(values):
                    self._sign(one, other, (rf"\b{old}\b", new), "and/or")
                for value in values:
                    self._condition(value, ignored)
            case ast.UnaryOp(op=ast.Not() | ast.USub() as op):
                start = self._place(node)[0]
                word = re.compile(rb"not\s*|-\s*").match(self._text, start)
                assert word is not None
                self._between(start, word.end(), "", "not" if isinstance(op, ast.Not) else "sign", node.lineno)
            case ast.BinOp(op=ast.FloorDiv(), left=left, right=right):
                self._put(node, f"-(-({self._says(left)}) // ({self._says(right)}))", "rounding")
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _REACHED and not _is_union_of_types(node):
                self._sign(left, right, _REACHED[type(op)], "arithmetic")
            case ast.Call():
                self._call(node)
            case ast.Attribute(value=ast.Name(id=name), attr=member) if member in self._enums.get(name, ()):
                self._word_at_end(node, _next(member, self._enums[name]), "wrong member")
            case ast.Tuple(elts=parts, ctx=ast.Load()) | ast.List(elts=parts, ctx=ast.Load()):
                says = [self._says(part) for part in parts]
                plain = all(isinstance(part, ast.Constant | ast.Name | ast.Attribute) for part in parts)
                if plain and 2 <= len(parts) <= 4 and says != says[::-1] and id(node) not in self._indices:
                    start, end = self._place(parts[0])[0], self._place(parts[-1])[1]
                    self._between(start, end, ", ".join(reversed(says)), "order", parts[0].lineno)
            case ast.Constant():
                for new, what in self._instead(node.value):
                    self._put(node, new, what)

    def _function(self, node: ast.FunctionDef, promise: str) -> None:
        """One that does nothing."""
        first = node.body[ast.get_docstring(node) is not None :]
        if len(first) > 1 and promise.startswith(("None", "Iterator", "Generator")):
            start, before = self._place(first[0])[0], self._span
            self._span = (first[0].lineno, first[0].lineno)
            self._between(start, start, f"return\n{' ' * first[0].col_offset}", "early return", first[0].lineno)
            self._span = before

    def _returned(self, value: ast.expr, promise: str) -> None:
        """The opposite, nothing, or an empty collection, by what the function promises."""
        says, kind = self._says(value), promise.partition("[")[0]
        if says in ("None", '""', "''"):
            return
        if promise == "bool" and not isinstance(value, ast.Constant | ast.UnaryOp | ast.Compare):
            self._put(value, f"not ({says})", "negated")
        elif "None" in promise.split(" | "):
            self._put(value, "None", "early return")
        elif _EMPTY.get(kind, says) != says:
            self._put(value, _EMPTY[kind], "early return")

    def _loop(self, node: ast.For) -> None:
        """Only the first, or none."""
        self._put(node.iter, "()", "empty loop")
        last = node.body[-1]
        if not isinstance(last, ast.Break | ast.Continue | ast.Return | ast.Raise) and last.lineno > node.lineno:
            end, before = self._place(last)[1], self._span
            self._span = (node.body[0].lineno, last.end_lineno or last.lineno)
            self._between(end, end, f"\n{' ' * last.col_offset}break", "only the first", last.lineno)
            self._span = before

    def _call(self, node: ast.Call) -> None:
        """Another function of the same shape, arguments in the wrong order, the wrong side."""
        word = _word(node.func)
        if word == "sorted":
            self._put(node, f"list(reversed({self._says(node)}))", "order")
        elif isinstance(node.func, ast.Name) and word in _CALLED:
            self._put(node.func, _CALLED[word], "order" if word == "reversed" else "function")
        elif isinstance(node.func, ast.Attribute) and word in _METHODS:
            self._word_at_end(node.func, _METHODS[word], "function")
        plain = [part for part in node.args if not isinstance(part, _UNALIKE)]
        if _OTHER.search(word) and len(node.args) == 1 and plain and not word.startswith(("is_", "has_", "_is_", "_has_")):
            self._put(node, self._says(plain[0]), "wrong side")
        for one, other in pairwise(plain):
            if self._says(one) != self._says(other) and word not in _EITHER_WAY:
                (start, middle), (rest, end) = self._place(one), self._place(other)
                between = self._text[middle:rest].decode()
                self._between(start, end, self._says(other) + between + self._says(one), "swapped arguments", one.lineno)

    def _instead(self, value: object) -> list[tuple[str, str]]:
        """For a constant: one more or less; the other truth; another side or name."""
        match value:
            case bool():
                return [(str(not value), "constant")]
            case int():
                return [(str(value + step), "constant") for step in ((1, -1) if value else (1,))]
            case float():
                return [(str(value + 0.5), "constant")]
            case str() if value in self._sides and len(self._sides) > 1:
                return [(repr(_next(value, self._sides)), "wrong side")]
            case str() if value in self._names and len(self._names) > 1:
                return [(repr(_next(value, self._names)), "wrong name")]
        return []


@cache
def _shared_enums() -> dict[str, list[str]]:
    """Enumerations of the engine and the mechanics -> their members."""
    known = {**vars(engine), **vars(mechanics)}
    return {name: [*kind.__members__] for name, kind in known.items() if isinstance(kind, EnumType)}


def _passed(node: ast.AST) -> tuple[str, ...]:
    """The parts of a node in which no mistakes are made: what only explains, keys that are looked up, numbers with a sign."""
    match node:
        case ast.ClassDef():
            return "bases", "keywords", "decorator_list"
        case ast.Raise():
            return "exc", "cause"
        case ast.Dict():
            return ("keys",)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return ("operand",)
        case ast.Subscript(value=value) if _TYPE.fullmatch(ast.unparse(value)):
            return ("slice",)
    return "annotation", "returns", "decorator_list", "target", "targets"


def _word(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_union_of_types(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return isinstance(node.op, ast.BitOr) and all(_TYPE.fullmatch(ast.unparse(side)) for side in sides)


def _next(name: str, known: Sequence[str]) -> str:
    return known[(list(known).index(name) + 1) % len(known)]


def _compared_names(everything: Sequence[ast.AST]) -> Iterator[str]:
    """The names to which something is compared: kinds of terrain, chits and so on."""
    for node in everything:
        for right in node.comparators if isinstance(node, ast.Compare) else ():
            for part in right.elts if isinstance(right, ast.Tuple | ast.Set | ast.List) else [right]:
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and _NAME.fullmatch(part.value):
                    yield part.value
