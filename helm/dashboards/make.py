"""Writes the dashboards: `python3 helm/dashboards/make.py`; `cargo xtask chart` compares."""

import json
import pathlib
import sys

OURS = 'job="pult",namespace=~"$namespace"'
# What rules of one's own have recorded, and alerts of volumes, have no namespace.
RECORDED = '{namespace=~"$namespace|"}'
DATA = {"type": "prometheus", "uid": "${datasource}"}


def rate(metric, by="", more="", window="$__rate_interval"):
    what = f"rate({metric}{{{OURS}{more}}}[{window}])"
    return f"sum by ({by}) ({what})" if by else f"sum({what})"


def quantile(q, metric, by="", more=""):
    names = f"le, {by}" if by else "le"
    return f"histogram_quantile({q}, {rate(metric + '_bucket', names, more)})"


def gauge(metric, by="", how="sum"):
    return f"{how} by ({by}) ({metric}{{{OURS}}})" if by else f"{how}({metric}{{{OURS}}})"


def panel(title, unit, *queries, kind="timeseries", limits=None, text=None):
    """`queries` are (expression, legend); `limits` are steps (colour, from)."""
    limits = limits or []
    first = [] if limits and limits[0][1] is None else [("green", None)]
    steps = [{"color": colour, "value": value} for colour, value in [*first, *limits]]
    return {
        "type": kind,
        "title": title,
        **({"description": text} if text else {}),
        "datasource": DATA,
        "fieldConfig": {
            "defaults": {
                "unit": unit,
                "min": None if kind == "stat" else 0,
                "thresholds": {"mode": "absolute", "steps": steps},
                **({"custom": {"thresholdsStyle": {"mode": "line"}}} if limits and kind == "timeseries" else {}),
            },
            "overrides": [],
        },
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}} if kind == "timeseries" else {},
        "targets": [
            {"refId": chr(65 + i), "datasource": DATA, "expr": expr, "legendFormat": legend, **({"instant": True} if kind == "stat" else {})}
            for i, (expr, legend) in enumerate(queries)
        ],
    }


def stat(title, unit, expr, limits=None, text=None):
    return panel(title, unit, (expr, ""), kind="stat", limits=limits, text=text)


def budget(part, allowed):
    return f'1 - avg_over_time(pult:errors:ratio_rate1h{{part="{part}",{RECORDED[1:]}[30d]) / {allowed}'


REQUESTS, CALLS = "http_server_request_duration_seconds", "http_client_request_duration_seconds"
STATEMENTS, WAIT = "db_client_operation_duration_seconds", "db_client_connection_wait_time_seconds"
FAILED = ',http_response_status_code=~"5.."'
BAD_CALLS = ',http_response_status_code!~"[1234]..",error_type!="cancelled"'
LEFT = [("red", None), ("orange", 0.1), ("green", 0.5)]
BOARDS = {
    "overview": (
        "Pult: overview",
        [
            stat("Orders and payments: errors left of 30 days", "percentunit", budget("orders", 0.0005), LEFT, "99.95 % of the answers are no errors"),
            stat("Everything else: errors left of 30 days", "percentunit", budget("rest", 0.001), LEFT, "99.9 %"),
            stat("Instances ready for requests", "none", f'sum(pult_ready{{{OURS},app_kubernetes_io_component="service"}}) or vector(0)', [("red", None), ("green", 1)]),
            stat("Alerts", "none", f'count(ALERTS{{alertname=~"Pult.*",alertstate="firing",{RECORDED[1:]}) or vector(0)', [("green", None), ("red", 1)]),
            panel("Errors", "percentunit", (f"pult:errors:ratio_rate5m{RECORDED}", "{{part}} {{namespace}}"), limits=[("red", 0.0072)]),
            panel("Reads", "s", (f"pult:reads:p95_5m{RECORDED}", "p95 (goal 150 ms) {{namespace}}"), (f"pult:reads:p99_5m{RECORDED}", "p99 (goal 500 ms) {{namespace}}"), limits=[("orange", 0.15), ("red", 0.5)]),
            panel("Placing an order", "s", (f"pult:placing:p99_5m{RECORDED}", "p99 (goal 500 ms) {{namespace}}"), limits=[("red", 0.5)]),
            panel("Requests", "reqps", (rate(REQUESTS + "_count"), "all"), (rate(REQUESTS + "_count", more=FAILED), "errors")),
            panel("What follows from orders waits", "s", (gauge("pult_outbox_lag_seconds", how="max"), "oldest event (goal 60 s)"), limits=[("red", 60)]),
            panel("Orders reach open screens after", "s", (f"pult:screens:p99_5m{RECORDED}", "p99 (goal 2 s) {{namespace}}"), limits=[("red", 2)]),
            panel("Guests and counters listening", "none", (gauge("pult_ws_clients"), "sockets")),
        ],
    ),
    "requests": (
        "Pult: requests",
        [
            panel("By status", "reqps", (rate(REQUESTS + "_count", "http_response_status_code"), "{{http_response_status_code}}")),
            panel("Busiest routes", "reqps", (f'topk(12, {rate(REQUESTS + "_count", "http_request_method, http_route")})', "{{http_request_method}} {{http_route}}")),
            panel("Slowest routes (p99)", "s", (f'topk(12, {quantile(0.99, REQUESTS, "http_request_method, http_route")})', "{{http_request_method}} {{http_route}}")),
            panel("Errors by route", "reqps", (f'topk(12, {rate(REQUESTS + "_count", "http_request_method, http_route", FAILED)})', "{{http_request_method}} {{http_route}}")),
            panel("All requests", "s", *[(quantile(q, REQUESTS), f"p{round(q * 100)}") for q in (0.5, 0.95, 0.99)]),
            panel("At work and waiting for a place", "none", (gauge("http_server_active_requests"), "at work"), (gauge("pult_http_waiting_requests"), "waiting"), limits=[("red", 20)]),
        ],
    ),
    "database": (
        "Pult: database",
        [
            panel("Statements", "ops", (rate(STATEMENTS + "_count", "db_operation_name"), "{{db_operation_name}}")),
            panel("Duration of statements (p99)", "s", (quantile(0.99, STATEMENTS, "db_operation_name"), "{{db_operation_name}}")),
            panel("Duration of all statements", "s", *[(quantile(q, STATEMENTS), f"p{round(q * 100)}") for q in (0.5, 0.95, 0.99)]),
            panel("Waiting for a connection", "s", (quantile(0.5, WAIT), "p50"), (f"pult:database_wait:p99_5m{RECORDED}", "p99 {{namespace}}"), limits=[("red", 0.5)]),
            panel("Connections", "none", (gauge("db_client_connection_count", "db_client_connection_state"), "{{db_client_connection_state}}")),
            panel("Connections in use by instance", "none", (f'sum by (pod) (db_client_connection_count{{{OURS},db_client_connection_state="used"}})', "{{pod}}")),
            panel("Other database servers answer", "bool_yes_no", (gauge("pult_db_server_up", "pult_db_server", how="max"), "{{pult_db_server}}")),
            panel("Exports that left the standby, in an hour", "none", (f"sum(increase(pult_db_replica_fallbacks_total{{{OURS}}}[1h]))", "read from the primary")),
        ],
    ),
    "jobs": (
        "Pult: jobs",
        [
            stat("Set aside for a person", "none", gauge("pult_job_dead", how="max"), [("green", None), ("red", 1)]),
            stat("Due and not begun", "none", gauge("pult_job_waiting", how="max")),
            panel("Age of the oldest", "s", (gauge("pult_job_lag_seconds", how="max"), "job that is due"), (gauge("pult_outbox_lag_seconds", how="max"), "event"), limits=[("red", 60)]),
            panel("Due and not begun, over time", "none", (gauge("pult_job_waiting", how="max"), "jobs")),
            panel("Waited before beginning (p99)", "s", (quantile(0.99, "pult_job_wait_seconds", "pult_job_kind"), "{{pult_job_kind}}")),
            panel("Begun", "ops", (rate("pult_job_wait_seconds_count", "pult_job_kind"), "{{pult_job_kind}}")),
            panel("Failed", "ops", (rate("pult_job_failures_total", "pult_job_kind"), "{{pult_job_kind}}")),
        ],
    ),
    "partners": (
        "Pult: partners and other services",
        [
            stat("Partners in maintenance", "none", gauge("pult_partner_maintenance", how="max"), [("green", None), ("red", 1)]),
            panel("Requests refused by a limit", "reqps", (rate("pult_tenant_throttled_total", "limit"), "of the {{limit}}"), text="caller: a key, a session or a partner sends too many. address: sign-in, links for passwords, public pages."),
            panel("Calls to other services", "reqps", (rate(CALLS + "_count", "server_address"), "{{server_address}}")),
            panel("Failed calls", "percentunit", (f'{rate(CALLS + "_count", "server_address", BAD_CALLS)} / {rate(CALLS + "_count", "server_address")}', "{{server_address}}"), limits=[("red", 0.2)]),
            panel("Duration of calls (p95)", "s", (quantile(0.95, CALLS, "server_address"), "{{server_address}}")),
            panel("Why calls fail", "reqps", (rate(CALLS + "_count", "server_address, error_type", ',error_type!=""'), "{{server_address}} {{error_type}}")),
        ],
    ),
    "instances": (
        "Pult: instances",
        [
            panel("Versions", "none", (gauge("pult_build_info", "version, chart", "count"), "{{version}} (chart {{chart}})")),
            panel("Ready", "none", (gauge("pult_ready", "pod"), "{{pod}}")),
            panel("Memory", "bytes", (gauge("process_resident_memory_bytes", "pod"), "{{pod}}")),
            panel("CPU", "none", (rate("process_cpu_seconds_total", "pod"), "{{pod}}")),
            panel("Descriptors", "none", (gauge("process_open_fds", "pod"), "{{pod}}"), limits=[("red", 8000)]),
            panel("Running since", "dateTimeAsIso", (f"process_start_time_seconds{{{OURS}}} * 1000", "{{pod}}")),
            panel("Requests at work", "none", (gauge("http_server_active_requests", "pod"), "{{pod}}")),
            panel("Sockets", "none", (gauge("pult_ws_clients", "pod"), "{{pod}}")),
            panel("Free on the volume of files", "percentunit", ('kubelet_volume_stats_available_bytes{persistentvolumeclaim=~".*pult.*"} / kubelet_volume_stats_capacity_bytes{persistentvolumeclaim=~".*pult.*"}', "{{persistentvolumeclaim}}")),
        ],
    ),
}


# All: also targets without a cluster, which have no namespace.
NAMESPACE = {
    "name": "namespace",
    "label": "Namespace",
    "type": "query",
    "datasource": DATA,
    "query": {"refId": "namespace", "query": 'label_values(pult_build_info{job="pult"}, namespace)'},
    "refresh": 2,
    "sort": 1,
    "includeAll": True,
    "allValue": ".*",
    "current": {"text": "All", "value": "$__all"},
}


def board(name, title, panels):
    x, y, row, placed = 0, 0, 0, []
    for number, one in enumerate(panels, 1):
        small = one["type"] == "stat"
        width, height = (6, 4) if small else (12, 8)
        if x + width > 24 or (placed and small != (placed[-1]["type"] == "stat")):
            x, y = 0, y + row
        placed.append({"id": number, "gridPos": {"x": x, "y": y, "w": width, "h": height}, **one})
        x, row = x + width, height
    return {
        "uid": f"pult-{name}",
        "title": title,
        "tags": ["pult"],
        "schemaVersion": 39,
        "version": 1,
        "editable": False,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [{"name": "datasource", "type": "datasource", "query": "prometheus"}, NAMESPACE]},
        "links": [{"type": "dashboards", "tags": ["pult"], "asDropdown": False, "title": "Pult", "keepTime": True, "includeVars": True}],
        "panels": placed,
    }


def files():
    folder = pathlib.Path(__file__).parent
    return {
        folder / f"{name}.json": json.dumps(board(name, title, panels), indent=1, ensure_ascii=False) + "\n"
        for name, (title, panels) in BOARDS.items()
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        stale = [file.name for file, text in files().items() if not file.exists() or file.read_text() != text]
        sys.exit(f"{', '.join(stale)}: not what make.py writes" if stale else 0)
    for file, text in files().items():
        file.write_text(text)
