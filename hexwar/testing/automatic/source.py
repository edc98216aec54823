"""Mistakes in Python source: what a competent author gets wrong, and nothing that only changes words.

Left out are docstrings, texts for people, annotations, imports, decorators, assertions, reprs, the names under which things are
saved or cited (`kind`, `clause`) and whatever compiles to the same bytecode.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from enum import EnumType
from functools import cache
from itertools import pairwise
from types import CodeType

from hexwar import engine, mechanics
from hexwar.testing.automatic.edits import Edit

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
_WORDS = {"kind", "title", "summary", "version", "credits", "maturity", "description", "clause", "bound", "text", "name", "help"}
"""Arguments and attributes that only name or explain; the bound of a scenario is a guess that nobody may reach."""
_UNALIKE = (ast.Constant, ast.JoinedStr, ast.Starred, ast.GeneratorExp, ast.Lambda)
"""Arguments that nobody takes for another."""
_SILENT = {"__repr__", "__str__"}
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def source_edits(text: bytes, sides: Sequence[str] = ()) -> list[Edit]:
    """All mistakes that a module can have.

    Args:
        text: the module.
        sides: the sides of the game, which are easily taken for each other.
    """
    tree = ast.parse(text)
    finder = _Finder(text, tree, sides)
    finder.visit(tree)
    return finder.found


def same_code(one: bytes, other: bytes) -> bool:
    """Whether two modules compile to the same bytecode; False if one does not compile at all."""
    return _plain(compile(one, "", "exec", dont_inherit=True)) == _plain(compile(other, "", "exec", dont_inherit=True))


def compiles(text: bytes) -> bool:
    """Whether a module has no mistake of syntax."""
    try:
        compile(text, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _plain(code: CodeType) -> tuple[object, ...]:
    constants = tuple(_plain(one) if isinstance(one, CodeType) else (type(one), repr(one)) for one in code.co_consts)
    return code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable, constants


class _Finder(ast.NodeVisitor):
    """Walks a module and puts down what can go wrong."""

    def __init__(self, text: bytes, tree: ast.Module, sides: Sequence[str]) -> None:
        self.found: list[Edit] = []
        self._text = text
        self._starts = [0, *(place.end() for place in re.finditer(rb"\n", text))]
        self._sides = sides
        self._span = (1, 1)
        self._returns: list[str] = []
        everything = list(ast.walk(tree))
        self._names = sorted(set(_compared_names(everything)))
        self._enums = _shared_enums() | {
            node.name: [ast.unparse(part.targets[0]) for part in node.body if isinstance(part, ast.Assign)]
            for node in everything
            if isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases)
        }

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

    def _sign(self, left: ast.expr, right: ast.expr, old: str, new: str, what: str) -> None:
        """Another operator between two operands."""
        start = self._place(left)[1]
        gap = self._text[start : self._place(right)[0]].decode()
        place = re.search(old, gap)
        if place is not None:
            self._between(start + place.start(), start + place.end(), new, what, left.end_lineno or left.lineno)

    # -- statements -----------------------------------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        """Remember the statement around what is found; pass over what only explains."""
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            self._span = (node.lineno, max(node.lineno, last))
        super().visit(node)

    def _silent(self, node: ast.AST) -> None:
        """Nothing in there is a rule."""

    visit_Import = visit_ImportFrom = visit_Assert = visit_JoinedStr = visit_Global = visit_Nonlocal = _silent  # noqa: N815

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """A function that does nothing, and whatever can be wrong in it."""
        if node.name in _SILENT:
            return
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._returns.append(ast.unparse(node.returns) if node.returns else "")
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        if len(body) > 1 and self._returns[-1].startswith(("None", "Iterator", "Generator")):
            self._span = (body[0].lineno, body[0].lineno)
            start = self._place(body[0])[0]
            self._between(start, start, f"return\n{' ' * body[0].col_offset}", "early return", body[0].lineno)
        for number, part in enumerate(body):
            self._part(part, is_last=number == len(body) - 1)
        self._returns.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """What it holds."""
        for part in node.body:
            self.visit(part)

    def _part(self, node: ast.stmt, *, is_last: bool) -> None:
        self.visit(node)
        if isinstance(node, ast.Return) and not is_last:
            self._put(node, "pass", "dropped statement")

    def visit_Return(self, node: ast.Return) -> None:
        """The opposite, nothing, or an empty collection, by what the function promises."""
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value in (None, "")):
            return
        promise = self._returns[-1] if self._returns else ""
        says, kind = self._says(node.value), promise.partition("[")[0]
        if promise == "bool" and not isinstance(node.value, ast.Constant | ast.UnaryOp | ast.Compare):
            self._put(node.value, f"not ({says})", "negated")
        elif "None" in promise.split(" | "):
            self._put(node.value, "None", "early return")
        elif kind in _EMPTY and _EMPTY[kind] != says:
            self._put(node.value, _EMPTY[kind], "early return")
        self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Forgotten, unless it is a docstring."""
        if not isinstance(node.value, ast.Constant):
            self._put(node, "pass", "dropped statement")
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        """What is set and what to; a local variable cannot be forgotten."""
        target = node.targets[0]
        if isinstance(target, ast.Name) and (target.id in _WORDS or target.id == "__all__"):
            return
        if isinstance(target, ast.Attribute | ast.Subscript):
            self._put(node, "pass", "dropped statement")
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """What it is set to."""
        named = isinstance(node.target, ast.Name) and node.target.id in _WORDS
        if node.value is not None and not named and "TypeAlias" not in ast.unparse(node.annotation):
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Forgotten, or the other way round."""
        self._put(node, "pass", "dropped statement")
        if type(node.op) in _REACHED:
            old, new = _REACHED[type(node.op)]
            self._sign(node.target, node.value, rf"{old}=", f"{new}=", "arithmetic")
        self.visit(node.value)

    def visit_Delete(self, node: ast.stmt) -> None:
        """Forgotten."""
        self._put(node, "pass", "dropped statement")

    visit_Continue = visit_Break = visit_Raise = visit_Delete  # noqa: N815

    def visit_If(self, node: ast.If) -> None:
        """A condition that is ignored."""
        if "TYPE_CHECKING" in ast.unparse(node.test):
            return
        self._condition(node.test, ("True", "False"))
        self.visit(node.test)
        for part in (*node.body, *node.orelse):
            self._part(part, is_last=False)

    def visit_While(self, node: ast.While) -> None:
        """Never, or other conditions."""
        self._condition(node.test, ("False",))
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """Only the first, or none."""
        last = node.body[-1]
        if not isinstance(node.iter, ast.Constant):
            self._put(node.iter, "()", "empty loop")
        self.visit(node.iter)
        for part in (*node.body, *node.orelse):
            self._part(part, is_last=False)
        if not isinstance(last, ast.Break | ast.Continue | ast.Return | ast.Raise) and last.lineno > node.lineno:
            end = self._place(last)[1]
            self._span = (node.body[0].lineno, last.end_lineno or last.lineno)
            self._between(end, end, f"\n{' ' * last.col_offset}break", "only the first", last.lineno)

    # -- expressions ----------------------------------------------------------------------------------------------------------

    def _condition(self, node: ast.expr, instead: Collection[str]) -> None:
        if not isinstance(node, ast.Constant) and not any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            for word in instead:
                self._put(node, word, "dropped condition")

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Always one of the two."""
        self._condition(node.test, ("True", "False"))
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """What is not asked."""
        self.visit(node.iter)
        for condition in node.ifs:
            self._condition(condition, ("True",))
            self.visit(condition)

    def visit_Compare(self, node: ast.Compare) -> None:
        """The boundary, or the opposite."""
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            old, new = _COMPARED[type(operator)]
            self._sign(left, right, old, new, "boundary" if "=" in old + new and old[0] in "<>" else "comparison")
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """The other word, or a condition forgotten."""
        old, new, ignored = ("and", "or", "True") if isinstance(node.op, ast.And) else ("or", "and", "False")
        for left, right in pairwise(node.values):
            self._sign(left, right, rf"\b{old}\b", new, "and/or")
        for value in node.values:
            self._condition(value, (ignored,))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Not, or not not; a sign."""
        if isinstance(node.op, ast.Not | ast.USub):
            start = self._place(node)[0]
            sign = re.compile(rb"not\s*|-\s*").match(self._text, start)
            assert sign is not None
            self._between(start, sign.end(), "", "not" if isinstance(node.op, ast.Not) else "sign", node.lineno)
        if not isinstance(node.op, ast.USub) or not isinstance(node.operand, ast.Constant):
            self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """The opposite; a fraction rounded the other way. Texts and unions of types are left alone."""
        sides = (node.left, node.right)
        if any(
            isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str)) for side in sides
        ):
            return
        types = isinstance(node.op, ast.BitOr) and all(
            re.fullmatch(r"None|[A-Z]\w*[a-z]\w*", ast.unparse(side)) for side in sides
        )
        if isinstance(node.op, ast.FloorDiv):
            self._put(node, f"-(-({self._says(node.left)}) // ({self._says(node.right)}))", "rounding")
        elif type(node.op) in _REACHED and not types:
            self._sign(node.left, node.right, *_REACHED[type(node.op)], "arithmetic")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Another function of the same shape, arguments in the wrong order, the wrong side."""
        word = ast.unparse(node.func).rpartition(".")[2]
        if word in ("isinstance", "issubclass", "cast", "getattr", "TypeVar"):
            return
        if word == "sorted":
            self._put(node, f"list(reversed({self._says(node)}))", "order")
        elif isinstance(node.func, ast.Name) and word in _CALLED:
            self._put(node.func, _CALLED[word], "order" if word == "reversed" else "function")
        elif isinstance(node.func, ast.Attribute) and word in _METHODS:
            end = self._place(node.func)[1]
            self._between(end - len(word), end, _METHODS[word], "function", node.func.end_lineno or node.lineno)
        plain = [part for part in node.args if not isinstance(part, _UNALIKE)]
        if _OTHER.search(word) and len(node.args) == 1 and plain and not word.startswith(("is_", "has_", "_is_", "_has_")):
            self._put(node, self._says(plain[0]), "wrong side")
        for one, other in pairwise(plain):
            if self._says(one) != self._says(other):
                (start, middle), (rest, end) = self._place(one), self._place(other)
                between = self._text[middle:rest].decode()
                self._between(start, end, self._says(other) + between + self._says(one), "swapped arguments", one.lineno)
        self.visit(node.func)
        for part in node.args:
            self.visit(part)
        for keyword in node.keywords:
            if keyword.arg not in _WORDS:
                self.visit(keyword.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Another member of the same enumeration."""
        members = self._enums.get(node.value.id, []) if isinstance(node.value, ast.Name) else []
        if node.attr in members and len(members) > 1:
            end = self._place(node)[1]
            other = _next(node.attr, members)
            self._between(end - len(node.attr), end, other, "wrong member", node.end_lineno or node.lineno)
        self.visit(node.value)

    def visit_Tuple(self, node: ast.Tuple | ast.List) -> None:
        """In reverse."""
        plain = all(isinstance(part, ast.Constant | ast.Name | ast.Attribute) for part in node.elts)
        if plain and 2 <= len(node.elts) <= 4 and isinstance(node.ctx, ast.Load):
            says = [self._says(part) for part in node.elts]
            if says != says[::-1]:
                start, end = self._place(node.elts[0])[0], self._place(node.elts[-1])[1]
                self._between(start, end, ", ".join(reversed(says)), "order", node.elts[0].lineno)
        self.generic_visit(node)

    visit_List = visit_Tuple  # noqa: N815

    def visit_Dict(self, node: ast.Dict) -> None:
        """Its values; a key is looked up by somebody."""
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) and key is not None:
                self.visit(key)
            self.visit(value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """What is looked up, but not the parameters of a type."""
        self.visit(node.value)
        if not re.fullmatch(r"(\w+\.)*[A-Z]\w*[a-z]\w*|type|tuple|list|dict|set|frozenset", ast.unparse(node.value)):
            if isinstance(node.slice, ast.Tuple):
                for part in node.slice.elts:
                    self.visit(part)
            else:
                self.visit(node.slice)

    def visit_Constant(self, node: ast.Constant) -> None:
        """One more or less; the other truth; another side or name."""
        value = node.value
        if isinstance(value, bool):
            self._put(node, str(not value), "constant")
        elif isinstance(value, int):
            self._put(node, str(value + 1), "constant")
            if value:
                self._put(node, str(value - 1), "constant")
        elif isinstance(value, float):
            self._put(node, str(value + 0.5), "constant")
        elif isinstance(value, str) and value in self._sides and len(self._sides) > 1:
            self._put(node, repr(_next(value, self._sides)), "wrong side")
        elif isinstance(value, str) and value in self._names and len(self._names) > 1:
            self._put(node, repr(_next(value, self._names)), "wrong name")


@cache
def _shared_enums() -> dict[str, list[str]]:
    """Enumerations of the engine and the mechanics -> their members."""
    known = {**vars(engine), **vars(mechanics)}
    return {name: [*kind.__members__] for name, kind in known.items() if isinstance(kind, EnumType)}


def _next(name: str, known: Sequence[str]) -> str:
    return known[(list(known).index(name) + 1) % len(known)]


def _compared_names(everything: Sequence[ast.AST]) -> Iterator[str]:
    """The names to which something is compared: kinds of terrain, chits and so on."""
    for node in everything:
        for right in node.comparators if isinstance(node, ast.Compare) else ():
            for part in right.elts if isinstance(right, ast.Tuple | ast.Set | ast.List) else [right]:
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and _NAME.fullmatch(part.value):
                    yield part.value
