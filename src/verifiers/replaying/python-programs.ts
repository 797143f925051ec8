// What Python loads to note the calls that tests make of a product, and the program that makes them again in a plain process. Text only.

/** An expression that finds the recorder by its place: what a command makes of PYTHONPATH does not matter. */
export const pythonRecorderAt = (folder: string, word: string): string => {
  const sys = '__import__("sys")';
  return `(${sys}.modules.get("${word}") or ${sys}.path.append(${JSON.stringify(folder)}) or __import__("${word}"))`;
};

/** Put at the end of each product file: lines before it stay where they are. */
export const pythonNote = (recorder: string, path: string): string => `\n\n${recorder}.note(globals(), ${JSON.stringify(path)})\n`;

const VALUES = `
def _lw_pack(value, depth=0):
    kind = type(value)
    if depth > 8:
        raise TypeError
    if kind in (str, list, tuple, dict) and len(value) > 100000:
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
export const pythonRecorder = (folder: string, mostEach: number): string => `import functools as _f
import json as _j
import os as _o
import sys as _s
import threading as _t
import types as _y
import weakref as _w
${VALUES}

try:
    _s.path.remove(${JSON.stringify(folder)})
except ValueError:
    pass

_depth = _t.local()
_seen = {}


def _say(what, _open=open, _dumps=_j.dumps, _report=${JSON.stringify(`${folder}/report`)}):
    try:
        with _open(_report, "a") as file:
            file.write(_dumps(what) + "\\n")
    except Exception:
        pass


_say({"looked": [_o.path.abspath(one) for one in _s.path if isinstance(one, str)]})


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


_objects = {}
_made = [0]
_each = {}
_PLAIN_BASES = (BaseException, type, int, str, float, bytes, tuple, list, dict, set, frozenset)
_CALLED = ("__call__", "__len__", "__contains__", "__getitem__", "__setitem__", "__delitem__", "__bool__", "__str__", "__repr__")


def _noted_making(inner, kind, path, name):
    @_f.wraps(inner)
    def __init__(self, *args, **kwargs):
        depth = getattr(_depth, "at", 0)
        asked = None
        if depth == 0 and type(self) is kind and _each.get((path, name), 0) < 4 * ${mostEach}:
            try:
                asked = _lw_pack([list(args), dict(kwargs)])
                if len(_j.dumps(asked)) > 20000:
                    asked = None
            except Exception:
                asked = None
        if asked is None:
            return inner(self, *args, **kwargs)
        _depth.at = 1
        try:
            inner(self, *args, **kwargs)
        finally:
            _depth.at = 0
        try:
            here = _w.ref(self)
        except TypeError:
            return
        _each[(path, name)] = _each.get((path, name), 0) + 1
        _made[0] += 1
        number = "%d.%d" % (_o.getpid(), _made[0])
        _objects[id(self)] = [here, number, 0]
        _say({"object": number, "path": path, "name": name, "args": asked})

    return __init__


def _noted_deed(inner, name):
    @_f.wraps(inner)
    def call(self, *args, **kwargs):
        mine = _objects.get(id(self))
        if mine is None or getattr(_depth, "at", 0) > 0 or mine[0]() is not self or mine[2] >= 40:
            return inner(self, *args, **kwargs)
        try:
            asked = _lw_pack([list(args), dict(kwargs)])
            if len(_j.dumps(asked)) > 20000:
                raise TypeError
        except Exception:
            mine[2] = 40
            return inner(self, *args, **kwargs)
        at = mine[2]
        mine[2] += 1
        _depth.at = 1
        try:
            result = inner(self, *args, **kwargs)
            came = _lw_came(result)
        except BaseException as error:
            came = {"threw": type(error).__name__}
            raise
        finally:
            _depth.at = 0
            _say({"object": mine[1], "at": at, "deed": name, "args": asked, "came": came})
        return result

    return call


def _note_class(kind, path, name):
    if type(kind).__name__ not in ("type", "ABCMeta") or issubclass(kind, _PLAIN_BASES) or kind.__init__ is object.__init__ and kind.__new__ is not object.__new__:
        return
    for deed, value in list(vars(kind).items()):
        if type(value) is not _y.FunctionType or value.__code__.co_flags & 0x2A0:
            continue
        if not deed.startswith("__") or deed in _CALLED:
            setattr(kind, deed, _noted_deed(value, deed))
    making = kind.__init__
    if type(making) is _y.FunctionType or making is object.__init__:
        kind.__init__ = _noted_making(making, kind, path, name)


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
        elif isinstance(value, type) and value.__module__ == names.get("__name__") and value.__name__ == name:
            try:
                _note_class(value, path, name)
            except Exception:
                pass
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
sys.path.extend(one for one in asked["packages"] if one not in sys.path)
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
    return value if isinstance(value, type if call.get("deeds") else types.FunctionType) else None


def _lw_live(kind, args, deeds):
    came = []
    try:
        positional, named = _lw_unpack(args[0])
        made = kind(*positional, **named)
    except BaseException as error:
        return [{"threw": type(error).__name__}]
    for deed, given in zip(deeds, args[1:]):
        try:
            positional, named = _lw_unpack(given)
            came.append(_lw_came(getattr(made, deed)(*positional, **named)))
        except BaseException as error:
            came.append({"threw": type(error).__name__})
    return came


def _lw_ask(function, call):
    args = call["args"]
    if call.get("deeds"):
        return _lw_live(function, args, call["deeds"])
    try:
        positional, named = _lw_unpack(args)
        return _lw_came(function(*positional, **named))
    except BaseException as error:
        return {"threw": type(error).__name__}


def _lw_play():
    first = {}
    for at, call in enumerate(asked["calls"]):
        function = None if at in asked["skip"] else _lw_find(call)
        if function is None:
            continue
        write(dumps({"begun": at}) + "\\n")
        flush()
        if took:
            took.begin()
        first[at] = _lw_ask(function, call)
        write(dumps({"at": at, "came": first[at]}) + "\\n")
        flush()
        for condition in list(took.strayed()) if took else []:
            took.force(condition)
            rival = _lw_ask(function, call)
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
            now = _lw_ask(_lw_find(asked["calls"][at]), asked["calls"][at])
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
