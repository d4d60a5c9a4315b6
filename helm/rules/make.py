"""Writes pult.yaml: the rules differ in windows and goals only, which is easily mistyped by hand."""

import pathlib
import sys

# Orders and payments: what a guest or a counter waits for; their exports and reports count with the rest.
OF_ORDERS = '.*/restaurants/[^/]+/(orders|payments|refunds)(/.*)?'
REPORTS = '.*/orders/(exports|storno-report|totals|accept-times|search)'
PLACING = '/api/v3/partners/[^/]+/restaurants/[^/]+/orders'
# Sockets, and calls that carry files of any size, say nothing about speed.
LONG = '/fresh-orders|/tv-board|.*(export|import|restore|archive|upload|download|picture|file).*'
# What is over the limit of combinations has no labels: it is not known to be good, so it does not count.
ALL = 'job="pult",http_response_status_code!="101",otel_metric_overflow=""'
# The PodMonitor and the scrape_config of docs/operating.md put the pod's component on each series. A worker is ready too
# and answers no requests.
SERVICE, WORKER = (f'job="pult",app_kubernetes_io_component="{part}"' for part in ("service", "worker"))
PARTS = {
    "orders": (f'{ALL},http_route=~"{OF_ORDERS}",http_route!~"{REPORTS}"', 0.0005, "99.95 %"),
    "rest": (ALL, 0.001, "99.9 %"),
}
BAD = ',http_response_status_code!~"[1234]..",error_type!="cancelled"'
WINDOWS = ["5m", "30m", "1h", "6h", "3d"]
HEAD = """# Written by make.py; `cargo xtask chart` compares. job="pult" is what the chart's PodMonitor calls the instances,
# app_kubernetes_io_component tells service from worker. Where no worker is wanted the group pult-worker is left out.
# The chart adds the namespace of the release to each job="pult", and to what comes out as a label.
# Orders and payments have a goal of 99.95 % over 30 days, everything else 99.9 %. Sockets do not count, and a client's own
# mistakes (4xx) are good answers.
groups:
"""


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def record(name, expr, **labels):
    # With the job what reads a recorded series is bound to one release in the same way as what reads a measured one.
    words = ", ".join(f"{k}: {v}" for k, v in {"job": "pult", **labels}.items())
    return f"      - record: {name}\n        labels: {{{words}}}\n        expr: {quoted(expr)}"


def alert(name, expr, hold, severity, page, summary):
    return f"""      - alert: {name}
        expr: {quoted(expr)}
        for: {hold}
        labels: {{severity: {severity}}}
        annotations:
          summary: {quoted(summary)}
          runbook_url: docs/runbooks/{page}.md"""


def group(name, rules, interval="30s"):
    return f"  - name: {name}\n    interval: {interval}\n    rules:\n" + "\n".join(rules) + "\n"


def ratios():
    rules = []
    for window in WINDOWS:
        for part, (labels, _, _) in PARTS.items():
            def rate(more="", labels=labels):
                return f"sum(rate(http_server_request_duration_seconds_count{{{labels}{more}}}[{window}]))"

            def of_part(more):
                if part == "orders":
                    return f"({rate(more)} or vector(0))"
                minus = rate(more, PARTS["orders"][0])
                return f"(({rate(more)} or vector(0)) - ({minus} or vector(0)))"

            errors = of_part(',http_response_status_code=~"5.."')
            rules.append(record(f"pult:errors:ratio_rate{window}", f"{errors} / ({of_part('')} > 0)", part=part))
    return rules


def latencies():
    def quantile(q, labels):
        return f"histogram_quantile({q}, sum by (le) (rate(http_server_request_duration_seconds_bucket{{{labels}}}[5m])))"

    reads = f'{ALL},http_request_method="GET",http_route!~"{LONG}"'
    placing = f'{ALL},http_request_method="POST",http_route=~"{PLACING}"'
    return [
        record("pult:reads:p95_5m", quantile(0.95, reads)),
        record("pult:reads:p99_5m", quantile(0.99, reads)),
        record("pult:placing:p99_5m", quantile(0.99, placing)),
        record("pult:database_wait:p99_5m", 'histogram_quantile(0.99, sum by (le) (rate(db_client_connection_wait_time_seconds_bucket{job="pult"}[5m])))'),
        record("pult:screens:p99_5m", 'histogram_quantile(0.99, sum by (le) (rate(pult_ws_delay_seconds_bucket{job="pult"}[5m])))'),
        record("pult:job_wait:p99_5m", 'histogram_quantile(0.99, sum by (le) (rate(pult_job_wait_seconds_bucket{job="pult"}[5m])))'),
    ]


def burning(part, factor, long, short, hold, severity):
    _, budget, goal = PARTS[part]
    limit = f"{factor * budget:.5g}"
    name = ("PultOrders" if part == "orders" else "Pult") + ("ErrorsFast" if factor > 10 else "ErrorsSlow")
    what = "Orders and payments" if part == "orders" else "Requests"
    expr = " and ".join(f'pult:errors:ratio_rate{window}{{job="pult",part="{part}"}} > {limit}' for window in (long, short))
    left = "in two days" if factor > 10 else "in five days"
    return alert(name, expr, hold, severity, "errors", f"{what} fail so often ({{{{ $value | humanizePercentage }}}} in {long}) that the errors of 30 days ({goal}) are used up {left}")


def calls(more=""):
    # What is over the limit of combinations has no address.
    return f'sum by (server_address) (rate(http_client_request_duration_seconds_count{{job="pult",otel_metric_overflow=""{more}}}[10m]))'


def alerts():
    # Without the operator a target may have no pod.
    one = "{{ or $labels.pod $labels.instance }}"
    ours = '{job="pult"}'
    yield group("pult-errors", [
        burning("orders", 14.4, "1h", "5m", "2m", "page"),
        burning("orders", 6, "6h", "30m", "15m", "page"),
        burning("rest", 14.4, "1h", "5m", "2m", "page"),
        burning("rest", 6, "6h", "30m", "15m", "ticket"),
    ])
    yield group("pult-speed", [
        alert("PultReadsSlow", f"pult:reads:p95_5m{ours} > 0.15 or pult:reads:p99_5m{ours} > 0.5", "10m", "ticket", "slow", "Reads are slower than p95 150 ms and p99 500 ms: {{ $value | humanizeDuration }}"),
        alert("PultPlacingSlow", f"pult:placing:p99_5m{ours} > 0.5", "5m", "page", "slow", "Placing an order takes {{ $value | humanizeDuration }} at p99, more than 500 ms"),
        alert("PultScreensLate", 'pult:screens:p99_5m{job="pult"} > 2 and on() sum(rate(pult_ws_delay_seconds_count{job="pult"}[5m])) > 0.2', "5m", "page", "slow", "Open screens are told of orders {{ $value | humanizeDuration }} (p99) after them; the goal is 2 s"),
        alert("PultOverloaded", 'sum(avg_over_time(pult_http_waiting_requests{job="pult"}[5m])) > 20', "5m", "page", "overload", "{{ $value | humanize }} requests wait for a place; the next step is 503"),
        alert("PultPartnersThrottled", 'sum(rate(pult_tenant_throttled_total{job="pult",limit="caller"}[5m])) > 1', "15m", "ticket", "flooding", "A key, a session or a partner sends more than its share: {{ $value | humanize }} requests refused each second"),
    ])
    yield group("pult-database", [
        alert("PultPoolWaiting", f"pult:database_wait:p99_5m{ours} > 0.5", "5m", "page", "pool", "Requests wait {{ $value | humanizeDuration }} (p99) for a connection to the database; after 1 s they fail"),
        # Who answers Prometheus and does not say that it is ready counts as one that is not.
        alert("PultNothingReady", f"(sum(pult_ready{{{SERVICE}}}) or 0 * count(up{{{SERVICE}}} == 1)) == 0", "1m", "page", "database-away", "No instance that answers requests is ready: most likely the database does not answer"),
        # Each export that leaves the standby counts once, so half an hour has to have several.
        alert("PultReplicaLeft", 'sum(increase(pult_db_replica_fallbacks_total{job="pult"}[30m])) > 0', "30m", "ticket", "replica", "Exports have been read from the primary for half an hour: the standby is away or behind"),
        alert("PultServerAway", 'max by (pult_db_server) (pult_db_server_up{job="pult"}) == 0', "1m", "page", "servers", "No instance reaches the database server {{ $labels.pult_db_server }}: its partners are answered 503"),
        alert("PultServerUnreached", '(pult_db_server_up{job="pult"} == 0) and on(pult_db_server) (max by (pult_db_server) (pult_db_server_up{job="pult"}) == 1)', "5m", "page", "servers", f"{one} does not reach or does not know the database server {{{{ $labels.pult_db_server }}}}, and others do: some requests of its partners are answered 503"),
    ])
    yield group("pult-jobs", [
        alert("PultJobsLate", 'max(pult_job_lag_seconds{job="pult"}) > 120', "5m", "ticket", "jobs", "The oldest job that is due has waited {{ $value | humanizeDuration }}"),
        alert("PultJobsDead", 'max(pult_job_dead{job="pult"}) > 0', "5m", "ticket", "jobs-dead", "{{ $value }} jobs have failed for good and wait for a person"),
        alert("PultJobsFailing", 'sum by (pult_job_kind) (rate(pult_job_failures_total{job="pult"}[15m])) > 0.1', "15m", "ticket", "jobs-failing", "Jobs of the kind {{ $labels.pult_job_kind }} fail {{ $value | humanize }} times a second"),
        alert("PultEventsLate", 'max(pult_outbox_lag_seconds{job="pult"}) > 60', "5m", "page", "events", "What follows from orders (mails, pushes, reports) waits {{ $value | humanizeDuration }}; the goal is 60 s"),
        alert("PultPartnersInMaintenance", 'max(pult_partner_maintenance{job="pult"}) > 0', "15m", "page", "maintenance", "{{ $value }} partners are in maintenance: their migration or restore has failed"),
    ])
    yield group("pult-outside", [
        alert("PultCallsOutFailing", f"{calls(BAD)} / {calls()} > 0.2 and {calls()} > 0.05", "10m", "ticket", "outside", "{{ $value | humanizePercentage }} of the calls to {{ $labels.server_address }} fail"),
    ])
    yield group("pult-instances", [
        alert("PultGone", f"absent(pult_build_info{{{SERVICE}}})", "2m", "page", "instances", "No instance of Pult that answers requests is seen (or its series lack the label app_kubernetes_io_component)"),
        alert("PultInstanceUnreachable", '(up{job="pult"} == 0) and on() (count(up{job="pult"} == 1) > 0)', "5m", "ticket", "instances", f"{one} does not answer Prometheus"),
        alert("PultInstanceNotReady", '(pult_ready{job="pult"} == 0) and on() (sum(pult_ready{job="pult"}) > 0)', "5m", "ticket", "instances", f"{one} has not been ready for 5 minutes while others are"),
        alert("PultRestarting", 'changes(process_start_time_seconds{job="pult"}[30m]) > 2', "0m", "ticket", "instances", f"{one} has started {{{{ $value }}}} times in 30 minutes"),
        alert("PultVersionsMixed", 'count(count by (version) (pult_build_info{job="pult"})) > 1', "1h", "ticket", "rolling-restart", "{{ $value }} versions have run beside each other for an hour: an upgrade is stuck"),
        alert("PultMemoryGrowing", '(avg_over_time(process_resident_memory_bytes{job="pult"}[1h]) > 1.3 * avg_over_time(process_resident_memory_bytes{job="pult"}[1h] offset 6h)) and (process_resident_memory_bytes{job="pult"} > 3e8) and (time() - process_start_time_seconds{job="pult"} > 28800)', "1h", "ticket", "memory", f"{one} has grown by a third in six hours, to {{{{ $value | humanize1024 }}}}B"),
        alert("PultDescriptors", 'process_open_fds{job="pult"} > 8000', "10m", "ticket", "descriptors", f"{one} has {{{{ $value }}}} descriptors open"),
        # An alert loses the name of its series, so two of them on one instance would be the same.
        alert("PultSeriesOverflow", 'count by (pod, instance, metric) (label_replace({__name__!~".+_(bucket|sum)",job="pult",otel_metric_overflow="true"}, "metric", "$1", "__name__", "(.+)")) > 0', "5m", "ticket", "series", f"{one} measures {{{{ $labels.metric }}}} with more combinations of labels than it may: what is over is one series without labels"),
        alert("PultFilesFull", 'kubelet_volume_stats_available_bytes{persistentvolumeclaim=~".*pult.*"} / kubelet_volume_stats_capacity_bytes{persistentvolumeclaim=~".*pult.*"} < 0.1', "10m", "page", "disk-full", "{{ $labels.persistentvolumeclaim }} has {{ $value | humanizePercentage }} left"),
    ])
    yield group("pult-worker", [
        alert("PultGone", f"absent(pult_build_info{{{WORKER}}})", "5m", "page", "instances", "No worker of Pult is seen: orders are taken, and mails, pushes and reports wait"),
    ])


def text():
    return HEAD + group("pult-ratios", ratios()) + group("pult-latencies", latencies()) + "".join(alerts())


if __name__ == "__main__":
    place = pathlib.Path(__file__).parent / "pult.yaml"
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if place.read_text() == text() else f"{place} is not what make.py writes: run `python3 {__file__}`")
    place.write_text(text())
