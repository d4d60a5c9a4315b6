"""Checks the chart without a cluster: `run.py HELM PROMTOOL`. Prints a line for each part; ends with 1 when one failed."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import traceback

import kubernetes_validate
import yaml

import cases
import names

HELM_FOLDER = names.HELM
# The last three versions of Kubernetes; the package of their schemas has the newest one's number.
KUBERNETES = ["1.35", "1.36", "1.37"]
EXAMPLES = sorted(path.stem for path in (HELM_FOLDER / "examples").glob("*.yaml"))
DIGEST = "sha256:" + cases.HEX


class Failed(Exception):
    pass


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def merged(base, over):
    """`None` takes a value away."""
    result = copy.deepcopy(base)
    for key, value in over.items():
        if value is None:
            result.pop(key, None)
        elif value is cases.NULL:
            result[key] = None
        else:
            result[key] = merged(result.get(key) or {}, value) if isinstance(value, dict) else value
    return result


def example(name):
    return yaml.safe_load((HELM_FOLDER / f"examples/{name}.yaml").read_text())


class Chart:
    """The chart and the states of it that are checked."""

    def __init__(self, helm, folder):
        self.helm, self.folder, self.rendered = helm, pathlib.Path(folder), {}

    def template(self, values, *more):
        file = self.folder / "values.yaml"
        file.write_text(yaml.safe_dump(values))
        return run(self.helm, "template", "pult", HELM_FOLDER, "--namespace", "pult", "--values", file, *more)

    def states(self):
        """Name and values of everything that must be rendered."""
        yield from ((name, example(name)) for name in EXAMPLES)
        yield from ((name, merged(example(base), over)) for name, (base, over) in cases.ACCEPTED.items())

    def lint(self):
        for name in EXAMPLES:
            file = HELM_FOLDER / f"examples/{name}.yaml"
            result = run(self.helm, "lint", "--strict", HELM_FOLDER, "--values", file)
            if result.returncode:
                yield f"{name}: {result.stdout}{result.stderr}"
        self.note = f"{len(EXAMPLES)} examples"

    def render(self):
        for name, values in self.states():
            result = self.template(values)
            if result.returncode:
                yield f"{name}: {result.stderr}"
                continue
            self.rendered[name] = [one for one in yaml.safe_load_all(result.stdout) if one]
        self.note = f"{len(self.rendered)} states, {sum(map(len, self.rendered.values()))} objects"

    def refuse(self):
        for base, over, word in cases.REFUSED:
            result = self.template(merged(example(base), over))
            if result.returncode == 0:
                yield f"{over} was accepted"
            elif word not in result.stderr and word.strip("/").replace("/", ".") not in result.stderr:
                yield f"{over}: the error does not say {word}: {result.stderr}"
        self.note = f"{len(cases.REFUSED)} wrong values"

    def schemas(self):
        newest = kubernetes_validate.latest_version()
        if not newest.startswith(KUBERNETES[-1] + "."):
            yield f"the newest schemas are of {newest}, those that are checked of {', '.join(KUBERNETES)}"
        checked = 0
        for name, objects in self.rendered.items():
            for one in objects:
                if one["apiVersion"] == "monitoring.coreos.com/v1":
                    yield from (f"{name}: {fault}" for fault in operators_kind(one))
                    continue
                for version in KUBERNETES:
                    try:
                        kubernetes_validate.validate(one, version, strict=True)
                        checked += 1
                    except Exception as error:  # its own kinds of errors differ by cause
                        yield f"{name}: {one['kind']} {one['metadata']['name']} in {version}: {error}"
        self.note = f"{checked} objects and versions, {', '.join(KUBERNETES)}"

    def safety(self):
        """What checkov does not look at."""
        for name, objects in self.rendered.items():
            for one in objects:
                yield from (f"{name}: {one['kind']} {one['metadata']['name']}: {fault}" for fault in unsafe(one))
        self.note = "grace, secrets, rolling"

    def policy(self):
        reasons = yaml.safe_load((HELM_FOLDER / "check/policy.yaml").read_text())
        folder = self.folder / "policy"
        for name in EXAMPLES:
            # Digests are the operator's; the examples name none, because it would be made up.
            values = merged(example(name), {"image": {"digest": DIGEST}})
            if values.get("pgbouncer"):
                values["pgbouncer"]["image"] = f"registry.pult.example/pgbouncer@{DIGEST}"
            (folder / name).mkdir(parents=True)
            (folder / name / "all.yaml").write_text(self.template(values).stdout)
        control = folder / "control"
        control.mkdir()
        (control / "all.yaml").write_text(yaml.safe_dump(UNSAFE_POD))
        passed, failed = checkov(folder)
        seen_control = {rule for rule, where in failed if where.startswith("/control/")}
        if not {"CKV_K8S_16", "CKV_K8S_40", "CKV_K8S_22"} <= seen_control:
            yield f"checkov finds nothing in a privileged pod: {sorted(seen_control)}"
        ours = [(rule, where) for rule, where in failed if not where.startswith("/control/")]
        yield from (f"{rule} {where}" for rule, where in ours if rule not in reasons)
        yield from (f"policy.yaml: nothing needs {rule} any more" for rule in set(reasons) - {rule for rule, _ in ours})
        yield from (f"policy.yaml: {rule} has no reason" for rule, why in reasons.items() if len(str(why)) < 40)
        self.note = f"checkov: {passed} passed, 0 failed but for {', '.join(sorted(reasons))}, with reasons"


UNSAFE_POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "control", "namespace": "pult"},
    "spec": {"containers": [{"name": "a", "image": "a:latest", "securityContext": {"privileged": True}}]},
}


def checkov(folder):
    program = pathlib.Path(sys.executable).parent / "checkov"
    words = ["--framework", "kubernetes", "--skip-download", "--output", "json", "--quiet", "--soft-fail"]
    result = run(sys.executable, program, "--directory", folder, *words)
    try:
        report = json.loads(result.stdout)
    except json.JSONDecodeError as error:
        raise Failed(f"checkov: {result.stdout[-2000:]}{result.stderr[-2000:]}") from error
    if report["summary"]["parsing_errors"]:
        raise Failed(f"checkov could not read {report['results']['parsing_errors']}")
    failed = [(one["check_id"], f"{one['file_path']}: {one['resource']}") for one in report["results"]["failed_checks"]]
    return report["summary"]["passed"], failed


def operators_kind(one):
    """Kinds of the Prometheus operator are not in Kubernetes' schemas. The rules themselves are promtool's."""
    if one["kind"] == "PrometheusRule":
        if set(one["spec"]) != {"groups"} or not one["spec"]["groups"]:
            yield "PrometheusRule has no groups"
        for group in one["spec"]["groups"]:
            for rule in group["rules"]:
                if "alert" in rule and not rule["annotations"]["runbook_url"].startswith("https://"):
                    yield f"{rule['alert']}: the page is no address"
    elif one["kind"] == "PodMonitor":
        spec = one["spec"]
        if set(spec) != {"jobLabel", "selector", "podMetricsEndpoints"} or set(spec["podMetricsEndpoints"][0]) != {"port", "path", "interval"}:
            yield "PodMonitor has other fields than were looked up"
    else:
        yield f"{one['kind']} is not known"


def unsafe(one):
    if one["kind"] == "Secret":
        yield "a secret is rendered"
    if one["kind"] not in {"Deployment", "Job"}:
        return
    spec = one["spec"]["template"]["spec"]
    component = one["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]
    container = spec["containers"][0]
    if spec["automountServiceAccountToken"] or spec["enableServiceLinks"]:
        yield "the token of the service account or the links are there"
    environment = {entry["name"]: entry for entry in container.get("env", [])}
    for name, entry in environment.items():
        if len([other for other in container["env"] if other["name"] == name]) > 1:
            yield f"{name} is set twice"
        if any(word in name for word in ("PASSWORD", "SECRET_KEY", "_KEY_ID", "ACCESS_KEY")) and name != "PULT_ZENDESK_CHAT_KEY_ID":
            if "secretKeyRef" not in entry.get("valueFrom", {}):
                yield f"{name} is no reference"
    if component in {"service", "worker"}:
        sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        if spec["terminationGracePeriodSeconds"] < 40 + sleep:
            yield "a pod has less than 40 s to end its work"
        if one["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] != 0:
            yield "a pod is taken away before its successor is ready"
        if environment["PULT_CHART"]["value"] != "1":
            yield "the contract of the chart is not said"
    if component in {"worker", "migration"} and "PULT_JOBS" in environment:
        yield "only the service leaves the jobs to others"


def faults(promtool):
    result = run(sys.executable, HELM_FOLDER / "rules/faults.py", promtool)
    if result.returncode:
        yield result.stdout + result.stderr
    faults.note = result.stdout.strip()


def queries(promtool):
    """What the dashboards ask is PromQL: promtool reads only rules, so each query becomes one."""
    found = [
        target["expr"].replace("$__rate_interval", "5m")
        for board in sorted((HELM_FOLDER / "dashboards").glob("*.json"))
        for panel in json.loads(board.read_text())["panels"]
        for target in panel["targets"]
    ]
    rules = [{"record": f"dashboard:{number}", "expr": expr} for number, expr in enumerate(found)]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(yaml.safe_dump({"groups": [{"name": "dashboards", "rules": rules}]}))
        file.flush()
        result = run(promtool, "check", "rules", file.name)
    if result.returncode:
        yield result.stdout + result.stderr
    queries.note = f"{len(found)} of the dashboards"


def generated():
    for folder in ("rules", "dashboards"):
        result = run(sys.executable, HELM_FOLDER / folder / "make.py", "--check")
        if result.returncode:
            yield result.stderr


def main(helm, promtool):
    if not run(helm, "version", "--short").stdout.startswith("v4."):
        sys.exit("the helm of the tests is not version 4")
    with tempfile.TemporaryDirectory() as folder:
        chart = Chart(helm, folder)
        parts = {
            **names.CHECKS,
            "generated": generated,
            "lint": chart.lint,
            "rendering": chart.render,
            "refusals": chart.refuse,
            "schemas": chart.schemas,
            "safety": chart.safety,
            "policy": chart.policy,
            "queries": lambda: queries(promtool),
            "alerts": lambda: faults(promtool),
        }
        failed = False
        for name, part in parts.items():
            chart.note = faults.note = queries.note = ""
            try:
                found = list(part())
            except Exception:  # one part that breaks does not hide the next
                found = [traceback.format_exc()]
            failed |= bool(found)
            print(f"    {'✗' if found else '✓'} {name:<11} {chart.note or faults.note or queries.note}", flush=True)
            for one in found:
                print("      " + one.strip().replace("\n", "\n      "))
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
