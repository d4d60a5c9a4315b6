"""Checks the chart without a cluster: `run.py HELM PROMTOOL`. Prints a line for each part; ends with 1 when one failed."""

import copy
import ipaddress
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

import kubernetes_validate
import yaml

import cases
import names

HELM_FOLDER = names.HELM
# From the oldest version that Chart.yaml allows to the newest one that there are schemas of.
OLDEST, NEWEST = (int(version.split(".")[1]) for version in (names.kubernetes(), kubernetes_validate.latest_version()))
KUBERNETES = [f"1.{minor}" for minor in range(OLDEST, NEWEST + 1)]
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
        self.helm, self.folder, self.rendered, self.values = helm, pathlib.Path(folder), {}, {}

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
            self.values[name] = merged(yaml.safe_load((HELM_FOLDER / "values.yaml").read_text()), values)
        for base, over, wanted in cases.RENDERED:
            text = self.template(merged(example(base), over)).stdout
            yield from (f"{over}: {one!r} is not rendered" for one in wanted if one not in text)
        self.note = f"{len(self.rendered)} states, {sum(map(len, self.rendered.values()))} objects"

    def upgrade(self):
        """The chart of the next release with the same values: each pod has another image, so each is replaced."""
        following = self.folder / "next"
        shutil.copytree(HELM_FOLDER, following)
        chart = following / "Chart.yaml"
        chart.write_text(re.sub(r"(?m)^(app)?(v|V)ersion: .*$", r'\1\2ersion: "99.0.1"', chart.read_text()))
        for name in EXAMPLES:
            file = HELM_FOLDER / f"examples/{name}.yaml"
            result = run(self.helm, "template", "pult", following, "--namespace", "pult", "--values", file)
            parts = {component(one): one for one in yaml.safe_load_all(result.stdout) if one and one["kind"] in {"Deployment", "Job"}}
            for part in {"service", "worker", "migration"} & set(parts):
                image = parts[part]["spec"]["template"]["spec"]["containers"][0]["image"]
                if not image.endswith(":99.0.1"):
                    yield f"{name}: an upgrade leaves the pods of {part} with {image}"
            if "service" not in parts:
                yield f"{name}: {result.stderr}"
        self.note = "pods get the image of the chart's release"

    def refuse(self):
        for base, over, word in cases.REFUSED:
            result = self.template(merged(example(base), over))
            if result.returncode == 0:
                yield f"{over} was accepted"
            elif word not in result.stderr and word.strip("/").replace("/", ".") not in result.stderr:
                yield f"{over}: the error does not say {word}: {result.stderr}"
        self.note = f"{len(cases.REFUSED)} wrong values"

    def nulls(self):
        """A value that is null is one that is missing, and that is refused unless its default is empty anyhow."""
        schema = json.loads((HELM_FOLDER / "values.schema.json").read_text())
        seen = 0

        def walk(values, part, path):
            nonlocal seen
            part = schema["definitions"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
            # Labels and the like have names of their own.
            for name, value in values.items() if "properties" in part else ():
                if value in ("", [], {}):
                    continue
                seen += 1
                if name not in part.get("required", []):
                    yield f"values.schema.json: {path}{name} may be null"
                if isinstance(value, dict):
                    yield from walk(value, part["properties"][name], f"{path}{name}.")

        yield from walk(yaml.safe_load((HELM_FOLDER / "values.yaml").read_text()), schema, "")
        self.note = f"{seen} values that cannot be null"

    def schemas(self):
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
        self.note = f"{checked} objects and versions, {KUBERNETES[0]} to {KUBERNETES[-1]}"

    def safety(self):
        """What checkov does not look at."""
        for name, objects in self.rendered.items():
            for one in objects:
                yield from (f"{name}: {one['kind']} {one['metadata']['name']}: {fault}" for fault in unsafe(one))
        self.note = "grace, secrets, rolling, spread"

    def network(self):
        """The policies let out what the environment names, and in what is believed."""
        addresses = 0
        for name, objects in self.rendered.items():
            values = self.values[name]
            for pod in (one for one in objects if one["kind"] in {"Deployment", "Job"}):
                found = list(databases(pod, objects))
                addresses += len(found)
                if not found:
                    yield f"{name}: {pod['metadata']['name']} has no address of a database"
                if values["networkPolicy"]["enabled"]:
                    yield from (f"{name}: {fault}" for fault in unreachable(pod, found, objects, values))
        yield from (f"{name}: {fault}" for name in EXAMPLES for fault in unbelieved(example(name)))
        self.note = f"{addresses} addresses of databases, proxies of {len(EXAMPLES)} examples"

    def monitoring(self):
        """The alerts are those of this installation."""
        checked = 0
        for name, objects in self.rendered.items():
            values = self.values[name]
            for one in (one for one in objects if one["kind"] == "PrometheusRule"):
                checked += 1
                rules = [rule for group in one["spec"]["groups"] for rule in group["rules"]]
                known = yaml.safe_load((HELM_FOLDER / "rules/pult.yaml").read_text())["groups"]
                lost = {group["name"] for group in known} - {group["name"] for group in one["spec"]["groups"]}
                if lost != (set() if values["worker"]["enabled"] else {"pult-worker"}):
                    yield f"{name}: without the groups {lost}, worker.enabled {values['worker']['enabled']}"
                yield from (f"{name}: {fault}" for rule in rules for fault in shared(rule, one["metadata"]["namespace"]))
                texts = [rule["expr"] for rule in rules if rule.get("alert") == "PultFilesFull"]
                texts += [text for board in objects for text in board.get("data", {}).values() if "kubelet_volume" in text]
                claims = [found for text in texts for found in re.findall(r'persistentvolumeclaim=~\\?"([^"\\]+)', text)]
                if len(claims) != (4 if values["monitoring"]["dashboards"]["enabled"] else 2):
                    yield f"{name}: the claim is looked for in {claims}"
                if not all(re.fullmatch(claim, values["files"]["existingClaim"]) for claim in claims):
                    yield f"{name}: {claims} do not find {values['files']['existingClaim']}"
        self.note = f"{checked} states with alerts"

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
        if set(spec) != {"jobLabel", "podTargetLabels", "selector", "podMetricsEndpoints"} or set(spec["podMetricsEndpoints"][0]) != {"port", "path", "interval"}:
            yield "PodMonitor has other fields than were looked up"
        # Prometheus writes what is no letter or digit as _.
        if names.COMPONENT not in {re.sub(r"\W", "_", label) for label in spec.get("podTargetLabels", [])}:
            yield f"PodMonitor puts no {names.COMPONENT} on the series, which the alerts need"
    else:
        yield f"{one['kind']} is not known"


ADDRESS = re.compile(r"postgres://[^@\s]+@(\[[^\]]+\]|[^:/\s]+):(\d+)/")


def component(one):
    return one["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]


def databases(pod, objects):
    """Host and port of every database that a pod connects to."""
    if component(pod) == "pgbouncer":
        config = next(one for one in objects if one["kind"] == "ConfigMap" and "pgbouncer.ini" in one["data"])
        yield from re.findall(r"host=(\S+) port=(\d+)", config["data"]["pgbouncer.ini"])
    for entry in pod["spec"]["template"]["spec"]["containers"][0].get("env", []):
        yield from ADDRESS.findall(entry.get("value", ""))


def selects(policy, labels):
    selector = policy["spec"]["podSelector"]
    return all(labels.get(key) == value for key, value in selector["matchLabels"].items()) and all(
        labels.get(one["key"]) in one["values"] for one in selector.get("matchExpressions", [])
    )


def rendered_peer(peer):
    if "cidr" in peer:
        return {"ipBlock": peer}
    selectors = {"namespaceSelector": peer.get("namespace"), "podSelector": peer.get("pods")}
    return {key: {"matchLabels": labels} for key, labels in selectors.items() if labels}


def unreachable(pod, addresses, objects, values):
    labels = pod["spec"]["template"]["metadata"]["labels"]
    policies = [one for one in objects if one["kind"] == "NetworkPolicy" and selects(one, labels)]
    if len(policies) != 1:
        yield f"{len(policies)} network policies are for {pod['metadata']['name']}"
    rules = [rule for policy in policies for rule in policy["spec"]["egress"]]
    servers = [rendered_peer(peer) for peer in values["networkPolicy"]["to"]["database"]]
    for host, port in addresses:
        if host.endswith("-pgbouncer"):
            to = [rule for rule in rules if "pgbouncer" in str(rule["to"][0].get("podSelector"))]
        else:
            to = [rule for rule in rules if rule["to"] == servers]
        if int(port) not in {one["port"] for rule in to for one in rule["ports"]}:
            yield f"the network policy of {pod['metadata']['name']} does not let it reach {host}:{port}"


def unbelieved(values):
    """Who is let in as a proxy by its address is trusted as one; without a proxy everybody is let in."""
    trusted = values["settings"].get("PULT_TRUSTED_PROXIES")
    if not trusted:
        return
    networks = [ipaddress.ip_network(one.strip(), strict=False) for one in trusted.split(",")]
    for peer in values["networkPolicy"]["from"]["ingress"]:
        let_in = ipaddress.ip_network(peer["cidr"]) if "cidr" in peer else None
        if let_in and not any(let_in.version == one.version and let_in.subnet_of(one) for one in networks):
            yield f"networkPolicy.from.ingress has {let_in}, which is not in PULT_TRUSTED_PROXIES {trusted}"


def shared(rule, namespace):
    """What a rule takes from another release of the cluster."""
    name, ours = rule.get("alert") or rule["record"], f'job="pult",namespace="{namespace}"'
    # Volumes are the cluster's series, found by the names of claims.
    selectors = [one for one in re.findall(r"\{[^}]*\}", rule["expr"]) if "persistentvolumeclaim" not in one]
    yield from (f"{name}: {one} is of every release" for one in selectors if ours not in one)
    if selectors and rule["labels"].get("namespace") != namespace:
        yield f"{name}: it comes out the same for every release"


def unsafe(one):
    if one["kind"] == "Secret":
        yield "a secret is rendered"
    if one["kind"] not in {"Deployment", "Job"}:
        return
    spec = one["spec"]["template"]["spec"]
    part = component(one)
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
    spread = {each["topologyKey"] for each in spec.get("topologySpreadConstraints", [])}
    if part != "migration" and "kubernetes.io/hostname" not in spread:
        yield "it is not spread over nodes"
    if spread - {"kubernetes.io/hostname"}:
        yield "nodes without the label of a zone are not spread over"
    if any("required" in key for kind in spec.get("affinity", {}).values() for key in kind):
        yield "its pods wait for ever where nodes have no label of a zone"
    if part in {"service", "worker"}:
        sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        if spec["terminationGracePeriodSeconds"] < 40 + sleep:
            yield "a pod has less than 40 s to end its work"
        if one["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] != 0:
            yield "a pod is taken away before its successor is ready"
        if not environment.get("PULT_CHART", {}).get("value", "").isdigit():
            yield "the contract of the chart is not said"
    if part == "migration":
        used = re.compile(r"(PULT_)?DATABASE_\w+|PULT_(CHART|INSTALLATION|LOG)|SSL_CERT_FILE")
        yield from (f"{name} is given to the migration, which does not use it" for name in environment if not used.fullmatch(name))
    if part == "pgbouncer" and {"app.kubernetes.io/version", "helm.sh/chart"} & set(one["spec"]["template"]["metadata"]["labels"]):
        yield "each release of the service replaces PgBouncer"
    if part in {"worker", "migration"} and "PULT_JOBS" in environment:
        yield "only the service leaves the jobs to others"


def faults(promtool, chart):
    """The rules as they are, and as an installation with workers gets them."""
    delivered = chart.folder / "delivered.yaml"
    rules = next(one for one in chart.rendered["three-nodes"] if one["kind"] == "PrometheusRule")
    delivered.write_text(yaml.safe_dump(rules["spec"]))
    notes = []
    for more in ([], [delivered]):
        result = run(sys.executable, HELM_FOLDER / "rules/faults.py", promtool, *more)
        if result.returncode:
            yield f"{'the delivered rules' if more else 'the rules'}: {result.stdout}{result.stderr}"
        notes.append(result.stdout.strip())
    faults.note = "; beside another release: ".join(notes)


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
            "upgrade": chart.upgrade,
            "refusals": chart.refuse,
            "nulls": chart.nulls,
            "schemas": chart.schemas,
            "safety": chart.safety,
            "network": chart.network,
            "monitoring": chart.monitoring,
            "policy": chart.policy,
            "queries": lambda: queries(promtool),
            "alerts": lambda: faults(promtool, chart),
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
