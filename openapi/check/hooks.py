"""What Schemathesis has to know of this service: who calls what, and which refusals the document must have foretold."""

import ast
import os
import threading

import schemathesis

_parse, _parsing = ast.parse, threading.RLock()


def _one_at_a_time(*args, **kwargs):
    """Python 3.11 counts the depth of a parse for all threads together and fails when two parse at once."""
    with _parsing:
        return _parse(*args, **kwargs)


ast.parse = _one_at_a_time

# Calls that end sessions are made with one that nobody else needs.
LEAVING = {"sessions_sign_out", "my_sessions_delete", "my_sessions_end_others"}
# Faults that a schema can express: a valid request may fail by a rule of the service, never by one of these.
EXPRESSIBLE = {"required", "type", "enum", "too_short", "too_long", "min", "max", "pattern"}

# Two fields of which the first is at most the second: a schema knows only fixed limits.
ORDERED = [("min_days_to_preorder", "days_to_preorder")]

# Addresses of mail and of the web, and domains, are parsed: no pattern tells what is one.
ADDRESSES = {
    *("email", "origins", "domains"),
    *("facebook", "instagram", "youtube", "twitter", "blog", "tumblr"),
}


@schemathesis.auth(refresh_interval=None)
class Token:
    """Whoever may make the call."""

    def get(self, case, context):
        if os.environ["PULT_DOCUMENT"] == "public.json":
            return os.environ["PULT_KEY"]
        operation = case.operation
        if operation.definition.raw.get("operationId") in LEAVING:
            return os.environ["PULT_LEAVING_TOKEN"]
        if operation.path.startswith("/api/v3/super-admin/"):
            return os.environ["PULT_PLATFORM_TOKEN"]
        return os.environ["PULT_TOKEN"]

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def filter_case(ctx, case):
    """A form says null by an empty part. The schema, which is that of the JSON body, takes this for a fault of the field."""
    if case.media_type != "multipart/form-data" or not isinstance(case.body, dict):
        return True
    components = case.operation.schema.raw_schema["components"]["schemas"]
    fields = {}
    for part in form_parts(case.operation):
        fields |= components[part["$ref"].rsplit("/", 1)[1]]["properties"] if "$ref" in part else part.get("properties", {})
    return not any(case.body.get(name) == "" and one.get("nullable") for name, one in fields.items())


@schemathesis.check
def rules_are_documented(ctx, response, case):
    """A request that fits the document is not refused for a rule that the document could have told."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    problem = response.json()
    # A code of its own stands in `x-codes`.
    faults = problem.get("faults", []) if problem["code"] == "VALIDATION_FAILED" else []
    faults = [one for one in faults if expressible(one, case)]
    assert not faults, f"The document does not tell this rule: {faults}"


def expressible(fault, case):
    """Whether a schema could have said it."""
    sent = case.body
    for part in fault["key"].split("."):
        if isinstance(sent, dict):
            sent = sent.get(part)
        elif isinstance(sent, list) and part.isdigit() and int(part) < len(sent):
            sent = sent[int(part)]
        else:
            sent = None
    if case.media_type == "multipart/form-data" and (sent is None or isinstance(sent, (dict, list))):
        # A form has text alone: it knows no null, and what is inside of a list is not that of the schema.
        return False
    if case.media_type == "multipart/form-data" and fault["key"] in files(case.operation):
        # Which files can be read.
        return False
    if (case.query or {}).get(fault["key"]) == "":
        # A format alone does not tell Schemathesis that nothing is no day.
        return False
    kind, number = fault["fault"], isinstance(sent, (int, float)) and not isinstance(sent, bool)
    if kind == "required":
        # Because of another field: what is always required is so in the schema, and there blanks do not fit its pattern.
        return bool(sent and str(sent).strip())
    if kind in ("min", "max"):
        # Instants are compared with the clock.
        return number and not contradicts(fault["key"], case.body)
    if kind == "too_short" and fault["key"].split(".")[-1] == "phone_1":
        # Of a phone digits are counted, not signs.
        return False
    if number and kind in ("type", "pattern"):
        # More digits than a decimal has, or than the currency's smallest coin.
        return False
    return kind in EXPRESSIBLE and not (kind == "pattern" and ADDRESSES & set(fault["key"].split(".")))


def contradicts(key, body):
    """Whether the number is out of order with the other one of its pair, which may be the saved one."""
    pairs = [(body.get(low), body.get(high)) for low, high in ORDERED if key in (low, high)]
    return any(low is None or high is None or low > high for low, high in pairs)


def form_parts(operation):
    """The schemas that an operation's form is made of."""
    form = operation.definition.raw["requestBody"]["content"]["multipart/form-data"]["schema"]
    return [form, *form.get("allOf", [])]


def files(operation):
    """The parts of an operation's form that are files."""
    parts = form_parts(operation)
    return {name for part in parts for name, one in part.get("properties", {}).items() if one.get("format") == "binary"}
