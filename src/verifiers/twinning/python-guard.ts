// A module that Python loads before all else: it says at the end which functions of the test runners come from the code under test. Text only.

/** What is found is in the room: its own code in somebody else's module. */
export const pythonGuard = (report: string, room: string): string => `import atexit as _a, json as _j, os as _o, sys as _s

def _guard(_open=open, _dumps=_j.dumps, _modules=_s.modules, _isinstance=isinstance, _type=type, _list=list, _getattr=getattr):
    report, room, me = ${JSON.stringify(report)}, ${JSON.stringify(room)}, str(_o.getpid())

    def say(what):
        try:
            with _open(report, "a") as file:
                file.write(_dumps(what) + "\\n")
        except BaseException:
            pass

    def strange(value):
        value = _getattr(value, "__func__", value)
        code = _getattr(value, "__code__", None)
        path = _getattr(code, "co_filename", "")
        return _isinstance(path, str) and path.startswith(room + "/") and "/site-packages/" not in path

    def end():
        replaced = []
        for name, module in _list(_modules.items()):
            if not (name in ("unittest", "builtins", "json") or name.startswith(("unittest.", "_pytest.", "pluggy."))):
                continue
            for key, value in _list(_getattr(module, "__dict__", {}).items()):
                if strange(value):
                    replaced.append(name + "." + key)
                if _isinstance(value, _type) and _getattr(value, "__module__", None) == name:
                    for method, inner in _list(value.__dict__.items()):
                        if strange(inner):
                            replaced.append(name + "." + key + "." + method)
        say({"ended": me, "replaced": sorted(set(replaced))})

    say({"begun": me})
    _a.register(end)

_guard()
`;
