"""render_templates.py INPUTS TEMPLATE... : what jinja2, set up as HF transformers does, makes of chat templates.

INPUTS is a JSON file: by name the variables of a render, `bos_token` and `messages` among them. Prints JSON: by
template's file name, by input's name, {"output": text} or {"error": "Type: text"}. The clock stands still.
"""

import datetime
import json
import pathlib
import sys

import jinja2
import jinja2.ext
import jinja2.sandbox

NOW = datetime.datetime(2026, 1, 5, 9, 7, 3)


class Generation(jinja2.ext.Extension):
    """The tag that marks what the assistant wrote; it renders as its body."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_body")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    result = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    result.filters["tojson"] = tojson
    result.globals["raise_exception"] = raise_exception
    result.globals["strftime_now"] = NOW.strftime
    return result


def attempt(action):
    try:
        return {"output": action()}
    except Exception as e:  # whatever a template may raise is a result
        return {"error": f"{type(e).__name__}: {e}"}


def main(inputs, *templates):
    variables = json.loads(pathlib.Path(inputs).read_text(encoding="utf-8"))
    jinja = environment()
    results = {}
    for path in map(pathlib.Path, templates):
        source = path.read_bytes().decode("utf-8")
        results[path.name] = {
            name: attempt(lambda: jinja.from_string(source).render({"tools": None, "documents": None, **values}))
            for name, values in variables.items()
        }
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
