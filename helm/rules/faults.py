"""Recorded series of a healthy day and of each fault, and the alerts that each must raise: these and no others.

`faults.py PROMTOOL` tests the rules as they are; `faults.py PROMTOOL RULES` those that the chart delivers to the namespace
pult, beside another release that is well. A series is written as promtool wants it: first value + step x number of minutes.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import yaml

MINUTES = 720
ORDERS = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/orders"
FRESH = "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}/orders/fresh"
MENU = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/menu"
# The bounds of the service, of requests, of telling windows, and of waiting for a connection.
REQUESTS = ["0.01", "0.05", "0.15", "0.5", "1", "2", "10", "+Inf"]
WINDOWS_TOLD = ["0.05", "0.1", "0.25", "0.5", "1", "2", "5", "30", "+Inf"]
STATEMENTS = ["0.001", "0.002", "0.005", "0.01", "0.05", "0.1", "0.5", "1", "5", "+Inf"]


def flat(value):
    return f"{value}+0x{MINUTES}"


def rising(step):
    return f"0+{step}x{MINUTES}"


def histogram(name, labels, per_minute, seconds, bounds):
    """All observations take this long."""
    series = {f"{name}_count{{{labels}}}": rising(per_minute)}
    for le in bounds:
        within = le == "+Inf" or float(le) >= seconds
        series[f'{name}_bucket{{{labels},le="{le}"}}'] = rising(per_minute if within else 0)
    return series


# Two instances answer requests, one works.
COMPONENTS = {"a": "service", "b": "service", "w": "worker"}


# Each has a namespace and an instance, as the operator puts them on.
HERE, ELSEWHERE = 'namespace="pult"', 'namespace="elsewhere"'


def of(pod):
    return f'job="pult",{HERE},app_kubernetes_io_component="{COMPONENTS[pod]}",pod="{pod}",instance="10.9.1.{ord(pod)}:9090"'


def requests(method, route, code, per_minute, seconds, pod="a"):
    labels = f'{of(pod)},http_request_method="{method}",http_route="{route}",http_response_status_code="{code}"'
    return histogram("http_server_request_duration_seconds", labels, per_minute, seconds, REQUESTS)


def healthy():
    series = {}
    for pod, component in COMPONENTS.items():
        own = of(pod)
        series |= {
            f"up{{{own}}}": flat(1),
            f"pult_ready{{{own}}}": flat(1),
            f'pult_db_server_up{{{own},pult_db_server="east"}}': flat(1),
            f'pult_build_info{{{own},version="1.0.0",chart="1"}}': flat(1),
            f"process_start_time_seconds{{{own}}}": flat(-86400),
            f"process_resident_memory_bytes{{{own}}}": flat(400_000_000),
            f"process_open_fds{{{own}}}": flat(300),
            f"pult_http_waiting_requests{{{own}}}": flat(0),
            f'pult_tenant_throttled_total{{{own},limit="caller"}}': flat(0),
            # Strangers who try passwords are no partner's flood.
            f'pult_tenant_throttled_total{{{own},limit="address"}}': rising(300),
            f"pult_job_lag_seconds{{{own}}}": flat(1),
            f"pult_job_dead{{{own}}}": flat(0),
            f"pult_outbox_lag_seconds{{{own}}}": flat(1),
            f"pult_partner_maintenance{{{own}}}": flat(0),
            f'pult_job_failures_total{{{own},pult_job_kind="mail"}}': rising(1),
            f'http_client_request_duration_seconds_count{{{own},server_address="api.teya.com",http_response_status_code="200"}}': rising(60),
            f'http_client_request_duration_seconds_count{{{own},server_address="api.teya.com",error_type="cancelled"}}': rising(30),
            # An address that is hardly called says nothing.
            f'http_client_request_duration_seconds_count{{{own},server_address="other",http_response_status_code="",error_type="unreachable"}}': rising(1),
        }
        series |= histogram("db_client_connection_wait_time_seconds", own, 600, 0.005, STATEMENTS)
        if component == "worker":
            continue
        series |= histogram("pult_ws_delay_seconds", own, 200, 0.08, WINDOWS_TOLD)
        series |= requests("POST", ORDERS, 201, 60, 0.04, pod)
        series |= requests("GET", FRESH, 200, 300, 0.02, pod)
        series |= requests("GET", MENU, 200, 600, 0.01, pod)
        # A client's own mistakes, slow calls with files, sockets: none of them is an error or slow.
        series |= requests("POST", ORDERS, 422, 60, 0.02, pod)
        series |= requests("POST", "/api/v3/super-admin/partners/restore", 200, 60, 10, pod)
        series |= requests("GET", "/fresh-orders", 101, 60, 10, pod)
    for name in ("available", "capacity"):
        series[f'kubelet_volume_stats_{name}_bytes{{persistentvolumeclaim="pult-files"}}'] = flat(15 if name == "available" else 20)
    return series


def every(name, values, labels="", pods=tuple(COMPONENTS)):
    return {f"{name}{{{of(pod)}{labels}}}": values for pod in pods}


def both(name, values):
    """Of the instances that answer requests."""
    return every(name, values, pods="ab")


def one(name, values, labels="", pod="a"):
    return every(name, values, labels, pod)


def without(pods):
    """Nothing of these is left."""
    return {key: None for key in healthy() if any(of(pod) in key for pod in pods)}


def waiting():
    """Nothing is measured but the process: it was started while the database was away, and goes on waiting for it."""
    known = ("up", "pult_ready", "pult_build_info", "process_", "kubelet_")
    return {key: None for key in healthy() if not key.startswith(known)} | every("pult_ready", flat(0))


def overflow(per_minute):
    """Requests over the limit of combinations of labels."""
    return histogram("http_server_request_duration_seconds", f'{of("a")},otel_metric_overflow="true"', per_minute, 0.01, REQUESTS)


def elsewhere(series):
    """Of another release, which has another version."""
    moved = {key.replace(HERE, ELSEWHERE).replace('"1.0.0"', '"2.0.0"'): value for key, value in series.items() if HERE in key}
    return {key: value for key, value in moved.items() if value is not None}


def unreachable(pods):
    return without(pods) | every("up", flat(0), pods=pods)


CALLS = "http_client_request_duration_seconds_count"
# The fault, what it changes (`None` takes a series away), and the alerts after half an hour (or the given minute).
FAULTS = [
    ("nothing", {}, []),
    ("2 of 100 orders fail", requests("POST", ORDERS, 503, 8, 0.01), ["PultOrdersErrorsFast", "PultOrdersErrorsSlow"]),
    ("4 of 1,000 orders fail", requests("POST", ORDERS, 500, 4, 0.01), ["PultOrdersErrorsSlow"]),
    ("3 of 100 menus fail", requests("GET", MENU, 500, 50, 0.01), ["PultErrorsFast", "PultErrorsSlow"]),
    ("8 of 1,000 menus fail", requests("GET", MENU, 500, 12, 0.01), ["PultErrorsSlow"]),
    ("reads are slow", requests("GET", MENU, 200, 600, 0.2) | requests("GET", MENU, 200, 600, 0.2, "b"), ["PultReadsSlow"]),
    ("one read of fifty hangs", requests("GET", MENU + "/x", 200, 40, 1.5), ["PultReadsSlow"]),
    ("placing an order is slow", requests("POST", ORDERS, 201, 60, 0.8), ["PultPlacingSlow"]),
    ("screens hear late of orders", histogram("pult_ws_delay_seconds", of("a"), 200, 4, WINDOWS_TOLD), ["PultScreensLate"]),
    ("a window that reads slowly at night", histogram("pult_ws_delay_seconds", of("a"), 5, 4, WINDOWS_TOLD) | histogram("pult_ws_delay_seconds", of("b"), 0, 0.08, WINDOWS_TOLD), []),
    ("more requests than places", one("pult_http_waiting_requests", flat(60)), ["PultOverloaded"]),
    ("a partner floods", one("pult_tenant_throttled_total", rising(120), ',limit="caller"'), ["PultPartnersThrottled"]),
    ("the pool is held", histogram("db_client_connection_wait_time_seconds", of("a"), 600, 0.8, STATEMENTS), ["PultPoolWaiting"]),
    ("the database is lost", every("pult_ready", flat(0)), ["PultNothingReady"]),
    ("started while the database is away", waiting(), ["PultNothingReady"]),
    ("nobody who answers Prometheus says whether it is ready", waiting() | every("pult_ready", None), ["PultNothingReady"]),
    ("all of the service is not ready, the worker lives", both("pult_ready", flat(0)), ["PultInstanceNotReady", "PultNothingReady"]),
    ("all of the service is away, the worker lives", without("ab"), ["PultGone"]),
    ("all of the service cannot be scraped, the worker lives", unreachable("ab"), ["PultGone", "PultInstanceUnreachable"]),
    ("one of the service is away, the other not ready", without("a") | one("pult_ready", flat(0), pod="b"), ["PultInstanceNotReady", "PultNothingReady"]),
    ("no worker is left", without("w"), ["PultGone"]),
    ("a worker is not ready", one("pult_ready", flat(0), pod="w"), ["PultInstanceNotReady"]),
    ("a server of some partners is away", every("pult_db_server_up", flat(0), ',pult_db_server="east"'), ["PultServerAway"]),
    ("one instance does not know a server", one("pult_db_server_up", flat(0), ',pult_db_server="east"'), ["PultServerUnreached"]),
    ("the standby is away", one("pult_db_replica_fallbacks_total", rising(0.2), pod="w"), ["PultReplicaLeft"], 70),
    ("one export has left the standby", one("pult_db_replica_fallbacks_total", "0+0x5 1+0x720", pod="w"), [], 36),
    ("jobs wait", one("pult_job_lag_seconds", flat(300)), ["PultJobsLate"]),
    ("a job has failed for good", one("pult_job_dead", flat(2)), ["PultJobsDead"]),
    ("mail of orders fails", one("pult_job_failures_total", rising(30), ',pult_job_kind="order_email"'), ["PultJobsFailing"]),
    ("events wait", one("pult_outbox_lag_seconds", flat(90)), ["PultEventsLate"]),
    ("a partner's migration failed", every("pult_partner_maintenance", flat(1)), ["PultPartnersInMaintenance"]),
    ("Teya is down", every(CALLS, rising(60), ',server_address="api.teya.com",http_response_status_code="503"'), ["PultCallsOutFailing"]),
    ("Teya hangs", every(CALLS, rising(60), ',server_address="api.teya.com",error_type="unreachable"'), ["PultCallsOutFailing"]),
    ("an instance is not ready", one("pult_ready", flat(0)), ["PultInstanceNotReady"]),
    ("an instance cannot be scraped", one("up", flat(0)), ["PultInstanceUnreachable"]),
    ("an instance restarts again and again", one("process_start_time_seconds", "0+300x720"), ["PultRestarting"]),
    ("an upgrade is stuck", one("pult_build_info", flat(1), ',version="1.1.0",chart="1"'), ["PultVersionsMixed"], 90),
    ("memory leaks", one("process_resident_memory_bytes", "400000000+700000x720"), ["PultMemoryGrowing"], 660),
    ("descriptors leak", one("process_open_fds", flat(9000)), ["PultDescriptors"]),
    ("too many combinations of labels", overflow(600), ["PultSeriesOverflow"]),
    (
        "3 of 100 menus fail among many requests without labels",
        requests("GET", MENU, 500, 50, 0.01) | overflow(60_000),
        ["PultErrorsFast", "PultErrorsSlow", "PultSeriesOverflow"],
    ),
    (
        "calls out without labels",
        {f'{CALLS}{{{of("a")},otel_metric_overflow="true"}}': rising(60)},
        ["PultSeriesOverflow"],
    ),
    ("the volume is nearly full", {'kubelet_volume_stats_available_bytes{persistentvolumeclaim="pult-files"}': flat(1)}, ["PultFilesFull"]),
]
# Nothing of Pult is left to be scraped.
GONE = ("no instance is left", None, ["PultGone"])
# The fault of another release is none of this one.
OTHERS = {
    "nothing, another release is not ready": every("pult_ready", flat(0)),
    "nothing, another release was started while the database is away": waiting(),
    "nothing, another release has faults of each kind": requests("POST", ORDERS, 503, 60, 3)
    | requests("GET", MENU, 500, 600, 3)
    | histogram("pult_ws_delay_seconds", of("a"), 200, 4, WINDOWS_TOLD)
    | histogram("db_client_connection_wait_time_seconds", of("a"), 600, 0.8, STATEMENTS)
    | one("pult_outbox_lag_seconds", flat(90))
    | one("pult_http_waiting_requests", flat(60))
    | one("pult_job_dead", flat(2))
    | one("pult_build_info", flat(1), ',version="1.1.0",chart="1"')
    | overflow(600),
}
# An alert names the pod, not the address besides. As the rules are, without a namespace.
NAMED = "descriptors leak"
NAMES = {
    "alertname": "PultDescriptors",
    "eval_time": "30m",
    "exp_alerts": [
        {
            "exp_labels": dict(re.findall(r'(\w+)="(.*?)"', of("a"))) | {"severity": "ticket"},
            "exp_annotations": {"summary": "a has 9000 descriptors open", "runbook_url": "docs/runbooks/descriptors.md"},
        }
    ],
}


def group(fault, beside):
    name, changes, raised, *minute = fault
    series = beside | ({} if changes is None else healthy() | changes)
    minute = minute[0] if minute else 30
    return {
        "name": name,
        "interval": "1m",
        "input_series": [
            {"series": key, "values": values.replace(f"x{MINUTES}", f"x{minute + 5}")}
            for key, values in series.items()
            if values is not None
        ],
        "alert_rule_test": [NAMES] if name == NAMED and not beside else [],
        "promql_expr_test": [
            {
                "expr": 'group by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{minute}m",
                "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in raised],
            }
        ],
    }


def main(promtool, delivered=None):
    place = pathlib.Path(delivered or pathlib.Path(__file__).parent / "pult.yaml")
    rules = yaml.safe_load(place.read_text())
    known = {rule["alert"] for part in rules["groups"] for rule in part["rules"] if "alert" in rule}
    beside = elsewhere(healthy()) if delivered else {}
    faults = [(fault, beside) for fault in [*FAULTS, GONE]]
    if delivered:
        faults += [((name, {}, []), elsewhere(healthy() | changes)) for name, changes in OTHERS.items()]
    # If the tests pass whatever is expected, the last of these fails.
    control = (("control", {}, ["PultGone"]), beside)
    untested = known - {alert for fault, _ in faults for alert in fault[2]}
    if untested:
        sys.exit(f"no fault raises {', '.join(sorted(untested))}")
    checked = subprocess.run([promtool, "check", "rules", place], capture_output=True, text=True)
    if checked.returncode:
        sys.exit(checked.stdout + checked.stderr)
    # A file for each fault, so that what fails is named.
    def run(one):
        name = one[0][0]
        tests = {"rule_files": [str(place.resolve())], "evaluation_interval": "1m", "tests": [group(*one)]}
        file = pathlib.Path(folder, re.sub(r"\W+", "-", name) + ".yaml")
        file.write_text(yaml.safe_dump(tests))
        result = subprocess.run([promtool, "test", "rules", file], capture_output=True, text=True)
        if (result.returncode != 0) != (one is control):
            return f"{name}:\n{result.stdout}{result.stderr}"

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        failed = [one for one in pool.map(run, [*faults, control]) if one]
    if failed:
        sys.exit("\n".join(failed))
    print(f"{len(known)} alerts, {len(faults)} states: each raises its alerts and no others")


if __name__ == "__main__":
    main(*sys.argv[1:])
