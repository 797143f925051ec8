// What Python loads to note the calls that tests make of a product, and the program that makes them again in a plain process. Text only.

/** Put at the end of each product file: lines before it stay where they are. */
export const pythonNote = (word: string, path: string): string =>
  `\n\nimport ${word} as _${word}\n_${word}.note(globals(), ${JSON.stringify(path)})\n`;

const VALUES = `
def _lw_pack(value, depth=0):
    kind = type(value)
    if depth > 8:
        raise TypeError
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        if -9007199254740991 <= value <= 9007199254740991:
            return value
        raise TypeError
    if kind is float:
        return {"$float": repr(value)}
    if kind is list:
        return [_lw_pack(one, depth + 1) for one in value]
    if kind is tuple:
        return {"$tuple": [_lw_pack(one, depth + 1) for one in value]}
    if kind is dict:
        if any(type(key) is not str or key.startswith("$") for key in value):
            raise TypeError
        return {key: _lw_pack(one, depth + 1) for key, one in value.items()}
    raise TypeError


def _lw_came(value):
    try:
        return {"value": _lw_pack(value)}
    except (TypeError, RecursionError, ValueError):
        return {"live": True}
`;

/** The module that `pythonNote` asks for: it notes calls that come from outside of the product, and nothing else changes. */
export const pythonRecorder = (report: string, mostEach: number): string => `import functools as _f
import json as _j
import os as _o
import sys as _s
import threading as _t
import types as _y
${VALUES}

_depth = _t.local()
_seen = {}


def _say(what, _open=open, _dumps=_j.dumps, _report=${JSON.stringify(report)}):
    try:
        with _open(_report, "a") as file:
            file.write(_dumps(what) + "\\n")
    except Exception:
        pass


def _noted(inner, path, name):
    @_f.wraps(inner)
    def call(*args, **kwargs):
        depth = getattr(_depth, "at", 0)
        mine = _seen.setdefault((path, name), [0, set()])
        if depth > 0 or mine[0] >= 20 * ${mostEach} or len(mine[1]) >= ${mostEach}:
            return inner(*args, **kwargs)
        mine[0] += 1
        try:
            asked = _lw_pack([list(args), dict(kwargs)])
            key = _j.dumps(asked)
        except Exception:
            asked = key = None
        if key is None or key in mine[1] or len(key) > 20000:
            asked = None
        else:
            mine[1].add(key)
        _depth.at = depth + 1
        try:
            result = inner(*args, **kwargs)
            came = _lw_came(result)
        except BaseException as error:
            came = {"threw": type(error).__name__}
            raise
        finally:
            _depth.at = depth
            if asked is not None:
                _say({"path": path, "name": name, "args": asked, "came": came})
        return result

    return call


_sides = set()


def took(at, value):
    try:
        side = bool(value)
    except Exception:
        return value
    if (at, side) not in _sides:
        _sides.add((at, side))
        _say({"condition": at, "side": side})
    return value


def note(names, path):
    if names.get("__name__") == "__main__":
        return
    _say({"module": names.get("__name__"), "path": path, "program": _s.executable})
    for name, value in list(names.items()):
        if type(value) is _y.FunctionType and value.__module__ == names.get("__name__") and not name.startswith("__"):
            code = value.__code__
            if not code.co_flags & 0x2A0:
                names[name] = _noted(value, path, name)
`;

/** Reads what to ask from a file, and says what came in another: once each in order, then again and again while there is time. */
export const pythonPlayer = (): string => `import importlib
import json
import sys
import time
import types

asked = json.load(open(sys.argv[1]))
out = open(sys.argv[2], "w")
del sys.argv[1:]
sys.path[:0] = asked["roots"]
took = None
if asked.get("took"):
    sys.path.append(asked["took"][0])
    took = importlib.import_module(asked["took"][1])
clock, dumps, write, flush = time.monotonic, json.dumps, out.write, out.flush
${VALUES}

def _lw_unpack(value):
    if isinstance(value, list):
        return [_lw_unpack(one) for one in value]
    if isinstance(value, dict):
        if "$float" in value:
            return float(value["$float"])
        if "$tuple" in value:
            return tuple(_lw_unpack(one) for one in value["$tuple"])
        return {key: _lw_unpack(one) for key, one in value.items()}
    return value


def _lw_find(call):
    try:
        value = getattr(importlib.import_module(call["module"]), call["name"])
    except BaseException:
        return None
    return value if isinstance(value, types.FunctionType) else None


def _lw_ask(function, args):
    try:
        positional, named = _lw_unpack(args)
        return _lw_came(function(*positional, **named))
    except BaseException as error:
        return {"threw": type(error).__name__}


def _lw_play():
    first = {}
    for at, call in enumerate(asked["calls"]):
        function = _lw_find(call)
        if function is None:
            continue
        write(dumps({"begun": at}) + "\\n")
        flush()
        if took:
            took.begin()
        first[at] = _lw_ask(function, call["args"])
        write(dumps({"at": at, "came": first[at]}) + "\\n")
        flush()
        for condition in list(took.strayed()) if took else []:
            took.force(condition)
            rival = _lw_ask(function, call["args"])
            took.force(-1)
            write(dumps({"at": at, "condition": condition, "rival": rival}) + "\\n")
            flush()
    until = clock() + asked["againMs"] / 1000
    calls = [at for at in first if asked["calls"][at]["again"]]
    told = set()
    turn = 0
    while calls and turn < 400 and clock() < until:
        turn += 1
        for at in calls:
            if at in told:
                continue
            now = _lw_ask(_lw_find(asked["calls"][at]), asked["calls"][at]["args"])
            if now != first[at]:
                told.add(at)
                write(dumps({"at": at, "again": now}) + "\\n")
                flush()
            if clock() > until:
                break
    write(dumps({"ended": True}) + "\\n")
    flush()


_lw_play()
`;
