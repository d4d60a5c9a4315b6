"""Names that stand in two places: settings, metrics, runbooks, routes, versions."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent
HELM = ROOT / "helm"
SETTING = re.compile(r"\b(?:PULT|OTEL)_[A-Z0-9_]*[A-Z0-9]\b")
# Settings that a cluster never has.
NOT_ON_A_CLUSTER = {"PULT_DEV": "development is for one machine", "PULT_DEV_LAN": "the same"}
# What tells service from worker on each series: a label of the pods, as Prometheus writes it.
COMPONENT = "app_kubernetes_io_component"
# On every series: of the scrape, of the recorded rules, and of the SDK where there are too many combinations of labels.
EVERYWHERE = {"job", "pod", "instance", "namespace", "part", "otel_metric_overflow", COMPONENT}


def read(path):
    return (ROOT / path).read_text()


def settings():
    """Every setting of the service can be set by the chart, and the chart sets no other."""
    sources = [p for p in ROOT.glob("platform/**/*.rs") if "tests" not in p.parts]
    known = set(SETTING.findall(read("platform/server/src/config.rs")))
    # The first cells of README's table, where names of one family are shortened: `PULT_BUILDER_PARTNER_URL`, `…_APP_URL`.
    cells = re.findall(r"^\| (`(?:PULT|OTEL)_[^|]*) \|", read("README.md"), re.M)
    shown = {name for cell in cells for name in SETTING.findall(cell.replace("`…_", "`PULT_BUILDER_"))}
    read_somewhere = {name for source in sources for name in SETTING.findall(source.read_text())}
    schema = json.loads((HELM / "values.schema.json").read_text())["properties"]
    values = set(schema["settings"]["properties"]) | set(schema["secrets"]["properties"])
    fixed = set(re.findall(r"name: ((?:PULT|OTEL)_[A-Z0-9_]+)", (HELM / "templates/_helpers.tpl").read_text()))
    ours = values | fixed
    for name in sorted((known | shown) - ours - set(NOT_ON_A_CLUSTER)):
        yield f"{name} is a setting of the service that the chart cannot set"
    for name in sorted(ours - read_somewhere - shown):
        yield f"{name} is set by the chart and no setting of the service"
    for name in sorted(ours - shown):
        yield f"{name} is set by the chart and not in README.md's table"
    for name in sorted(set(NOT_ON_A_CLUSTER) - known):
        yield f"{name} is no setting of the service any more"


def metrics():
    """Alerts and dashboards name only what the binary measures."""
    lines = [line.split() for line in read("helm/rules/metrics.txt").splitlines() if line and not line.startswith("#")]
    known = {name: (kind, set(labels)) for name, kind, *labels in lines}
    series = {}
    for name, (kind, labels) in known.items():
        for end in ["_bucket", "_count", "_sum"] if kind == "histogram" else [""]:
            series[name + end] = labels | ({"le"} if end == "_bucket" else set())
    rules = read("helm/rules/pult.yaml")
    recorded = set(re.findall(r"record: (\S+)", rules))
    texts = {"rules/pult.yaml": re.findall(r"^\s+expr: '(.*)'$", rules, re.M)}
    for board in sorted((HELM / "dashboards").glob("*.json")):
        texts[f"dashboards/{board.name}"] = [
            target["expr"] for panel in json.loads(board.read_text())["panels"] for target in panel["targets"]
        ]
    used = set()
    for place, expressions in texts.items():
        for expression in expressions:
            # A metric, or one of ours with colons, and what stands in its braces.
            for name, braces in re.findall(r"\b([a-zA-Z_:][a-zA-Z0-9_:]*)\{([^}]*)\}|(?!)", expression):
                labels = set(re.findall(r"([a-z_]+)(?:=~|!~|!=|=)", braces)) - EVERYWHERE
                if name in recorded:
                    continue
                if name not in series:
                    yield f"{place}: {name} is not in rules/metrics.txt"
                elif labels - series[name]:
                    yield f"{place}: {name} has no label {', '.join(labels - series[name])}"
                used.add(name)
            bare = re.sub(r"\{[^}]*\}|\"[^\"]*\"", "", expression)
            for name in re.findall(r"\b(?:pult|http|db|process|kubelet)[_:][a-zA-Z0-9_:]+", bare):
                is_label = any(name in labels for _, labels in known.values())
                if name not in series and name not in recorded and not is_label:
                    yield f"{place}: {name} is not known"
    for label in (COMPONENT, "namespace"):
        if f"target_label: {label} " not in read("docs/operating.md"):
            yield f"docs/operating.md: the scrape_config puts no {label} on the series, which the alerts need"
    binary = set()
    for source in ROOT.glob("platform/**/*.rs"):
        if "tests" not in source.parts:
            binary |= {text.replace(".", "_") for text in re.findall(r'"([a-z_]+(?:[._][a-z_]+)+)"', source.read_text())}
    for name, (kind, labels) in known.items():
        if kind == "other":
            continue
        counted = re.sub(r"_total$", "", name)
        if not {name, counted, re.sub(r"_(seconds|bytes)$", "", counted)} & binary:
            yield f"rules/metrics.txt: the binary has no {name}"


def runbooks():
    """Every alert has its page, and every page of an alert is named by one."""
    linked = set(re.findall(r"runbook_url: docs/runbooks/(\S+\.md)", read("helm/rules/pult.yaml")))
    alerts = re.findall(r"alert: (\S+)\n(?:.*\n)*?.*runbook_url: docs/runbooks/(\S+\.md)", read("helm/rules/pult.yaml"))
    for page in sorted(linked):
        if not (ROOT / "docs/runbooks" / page).exists():
            yield f"docs/runbooks/{page} is missing"
    for alert, page in alerts:
        path = ROOT / "docs/runbooks" / page
        if path.exists() and f"`{alert}`" not in path.read_text():
            yield f"docs/runbooks/{page} does not name {alert}"
    for path in (ROOT / "docs/runbooks").glob("*.md"):
        for alert in re.findall(r"`(Pult[A-Z]\w+)`", path.read_text()):
            if alert not in dict(alerts):
                yield f"docs/runbooks/{path.name} names {alert}, which is no alert"


def drills():
    """Pages name only drills and tests that there are."""
    registry = ROOT / "platform/testkit/drills/src/drills/mod.rs"
    if not registry.exists():
        return
    known = set(re.findall(r'name: "([a-z-]+)"', registry.read_text()))
    for path in [*(ROOT / "docs/runbooks").glob("*.md"), ROOT / "docs/operating.md"]:
        for drill in re.findall(r"cargo xtask drill ([a-z][a-z-]*)", path.read_text()):
            if drill not in known:
                yield f"{path.name}: there is no drill {drill}"
    proofs = ROOT / "docs/operating-proofs.md"
    for drill in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", proofs.read_text()):
        if drill not in known:
            yield f"{proofs.name}: there is no drill {drill}"
    sources = [path for top in ("platform", "tenants", "integrations") for path in (ROOT / top).rglob("*.rs")]
    functions = {name for path in sources for name in re.findall(r"\bfn (\w+)", path.read_text())}
    # A name may be cut: `killed_while_partners_…`.
    for name, cut in re.findall(r"`([a-z0-9]+(?:_[a-z0-9]+){3,}_?)(…?)`", proofs.read_text()):
        if not (any(one.startswith(name) for one in functions) if cut else name in functions):
            yield f"{proofs.name}: there is no test {name}"


def routes():
    """The goal of orders and payments is measured on their routes and no others."""
    rules = read("helm/rules/make.py")
    of_orders = re.search(r"^OF_ORDERS = '(.*)'$", rules, re.M)[1]
    reports = re.search(r"^REPORTS = '(.*)'$", rules, re.M)[1]
    placing = re.search(r"^PLACING = '(.*)'$", rules, re.M)[1]
    paths = json.loads(read("openapi/openapi.json"))["paths"]
    wanted = {
        path
        for path, methods in paths.items()
        for operation in methods.values()
        if isinstance(operation, dict)
        and re.match(r"(orders|payments|refunds)_", operation.get("operationId", ""))
        and operation["operationId"] not in {"orders_search", "orders_totals", "orders_accept_times", "orders_storno_report"}
    }
    found = {path for path in paths if re.fullmatch(of_orders, path) and not re.fullmatch(reports, path)}
    for path in sorted(wanted ^ found):
        yield f"rules/make.py: {path} {'is not' if path in wanted else 'is'} counted with orders and payments"
    if [path for path in paths if re.fullmatch(placing, path) and "post" in paths[path]] != [
        path for path, methods in paths.items() if methods.get("post", {}).get("operationId") == "orders_create"
    ]:
        yield "rules/make.py: PLACING is not the path of orders_create"


def kubernetes():
    """The oldest version that the chart may be installed on."""
    return re.search(r'^kubeVersion: ">=([0-9]+\.[0-9]+)\.0-0"$', read("helm/Chart.yaml"), re.M)[1]


def versions():
    """The chart deploys the release that it comes with, by the contract of that release."""
    version = re.search(r'^version = "(.*)"', read("Cargo.toml"), re.M)[1]
    if f"| Kubernetes {kubernetes()} or newer " not in read("docs/operating.md"):
        yield f"docs/operating.md: Chart.yaml wants Kubernetes {kubernetes()}"
    if f'appVersion: "{version}"' not in read("helm/Chart.yaml"):
        yield f"Chart.yaml: appVersion is not {version}"
    if f"\nversion: {version}\n" not in read("helm/Chart.yaml"):
        yield f"Chart.yaml: version is not {version}"
    contract = read("platform/server/chart-contract").strip()
    if f'example.pult.chart: "{contract}"' not in read("helm/Chart.yaml"):
        yield f"Chart.yaml: example.pult.chart is not {contract}, which the image needs"


CHECKS = {"settings": settings, "metrics": metrics, "runbooks": runbooks, "drills": drills, "routes": routes, "versions": versions}


if __name__ == "__main__":
    found = [fault for check in CHECKS.values() for fault in check()]
    sys.exit("\n".join(found) or 0)
