"""What the chart must refuse, and with what words; and more values that it must accept."""

HEX = "a" * 64
# A value that is null, where `None` takes away what the example has.
NULL = object()

# Values over those of an example; what the error must contain.
REFUSED = [
    ("one-node", {"secrets": {"PULT_SECRET_KEY": {"name": ""}}}, "/secrets/PULT_SECRET_KEY/name"),
    ("one-node", {"secrets": {"PULT_SECRET_KEY": None}}, "PULT_SECRET_KEY"),
    ("one-node", {"secrets": {"PULT_SECRET_KEY": "c2VjcmV0"}}, "/secrets/PULT_SECRET_KEY"),
    ("one-node", {"secrets": {"PULT_SECRET_KEY": {"value": "c2VjcmV0"}}}, "/secrets/PULT_SECRET_KEY"),
    ("one-node", {"settings": {"PULT_SECRET_KEY": "c2VjcmV0"}}, "PULT_SECRET_KEY"),
    ("one-node", {"settings": {"PULT_S3_ENDPOINT": "https://key:secret@s3.example"}}, "PULT_S3_ENDPOINT"),
    ("one-node", {"settings": {"PULT_DEV": "1"}}, "PULT_DEV"),
    ("one-node", {"settings": {"PULT_PUBLIC_URL": "http://pult.example"}}, "PULT_PUBLIC_URL"),
    ("one-node", {"settings": {"PULT_PUBLIC_URL": None}}, "PULT_PUBLIC_URL"),
    ("one-node", {"settings": {"PULT_TRUSTED_PROXIES": "0.0.0.0/0"}}, "PULT_TRUSTED_PROXIES"),
    ("one-node", {"settings": {"PULT_TRUSTED_PROXIES": None}}, "PULT_TRUSTED_PROXIES is empty"),
    ("one-node", {"settings": {"PULT_SERVICE_WORKER": False}}, "PULT_SERVICE_WORKER"),
    ("one-node", {"settings": {"PULT_CONNECTIONS": "many"}}, "PULT_CONNECTIONS"),
    ("one-node", {"database": {"password": "secret"}}, "/database/password"),
    ("one-node", {"database": {"password": {"key": None}}}, "/database/password"),
    ("one-node", {"database": {"host": "postgres://pult_app:secret@db"}}, "/database/host"),
    ("one-node", {"database": {"port": "5432"}}, "/database/port"),
    ("one-node", {"database": {"port": 70000}}, "/database/port"),
    ("one-node", {"database": {"owner": {"user": ""}}}, "database.owner.user"),
    ("one-node", {"database": {"owner": NULL}}, "missing property 'owner'"),
    ("one-node", {"networkPolicy": {"to": NULL}}, "missing property 'to'"),
    ("one-node", {"database": {"lifetime": NULL}}, "missing property 'lifetime'"),
    ("one-node", {"monitoring": NULL}, "missing property 'monitoring'"),
    ("one-node", {"tmpSize": NULL}, "missing property 'tmpSize'"),
    ("one-node", {"serviceAccount": NULL}, "missing property 'serviceAccount'"),
    ("one-node", {"files": {"size": NULL}}, "missing property 'size'"),
    ("one-node", {"migration": {"deadline": NULL}}, "missing property 'deadline'"),
    ("one-node", {"service": {"preStopSeconds": NULL}}, "missing property 'preStopSeconds'"),
    ("one-node", {"networkPolicy": {"enabled": NULL}}, "missing property 'enabled'"),
    ("three-nodes", {"worker": {"autoscaling": {"waitingJobs": NULL}}}, "missing property 'waitingJobs'"),
    ("three-nodes", {"database": {"replica": {"port": NULL}}}, "missing property 'port'"),
    ("pgbouncer", {"pgbouncer": {"serverLifetime": NULL}}, "missing property 'serverLifetime'"),
    ("pgbouncer", {"pgbouncer": {"poolSize": NULL}}, "missing property 'poolSize'"),
    ("pgbouncer", {"pgbouncer": {"maxClients": NULL}}, "missing property 'maxClients'"),
    ("pgbouncer", {"monitoring": {"rules": {"runbooks": NULL}}}, "missing property 'runbooks'"),
    ("one-node", {"mail": {"password": "secret"}}, "/mail/password"),
    ("one-node", {"mail": {"password": {"name": None, "key": None}}}, "mail.user and mail.password"),
    ("one-node", {"mail": {"scheme": "smtp", "port": 25}}, "cross the network readable"),
    ("one-node", {"mail": {"scheme": "smtp", "starttls": True, "port": 465}}, "port 465 is smtps"),
    ("one-node", {"mail": {"port": 587}}, "port 465 is smtps"),
    ("one-node", {"podLabels": {"app.kubernetes.io/component": "x"}}, "'app.kubernetes.io/component'"),
    ("pgbouncer", {"pgbouncer": {"poolSize": 39}}, "less than database.pool times the 5 pods"),
    ("one-node", {"image": {"repository": ""}}, "/image/repository"),
    ("one-node", {"image": {"digest": "sha256:abc"}}, "/image/digest"),
    ("one-node", {"imag": {}}, "imag"),
    ("one-node", {"service": {"replica": 2}}, "replica"),
    ("one-node", {"service": {"replicas": 0}}, "/service/replicas"),
    ("one-node", {"database": {"servers": [{"name": "East", "host": "east"}]}}, "/database/servers/0/name"),
    ("one-node", {"database": {"servers": [{"name": "default", "host": "east"}]}}, "/database/servers/0/name"),
    (
        "one-node",
        {"database": {"servers": [{"name": "east", "host": "east"}, {"name": "east", "host": "west"}]}},
        "database.servers has east twice",
    ),
    ("one-node", {"database": {"host": "db", "servers": [{"name": "east", "host": "db"}]}}, "two names of one database"),
    ("one-node", {"database": {"pool": 40}}, "the pods may open 110"),
    ("three-nodes", {"database": {"maxConnections": 319}}, "the pods may open 320"),
    ("pgbouncer", {"database": {"maxConnections": 160}}, "the pods may open 161"),
    ("one-node", {"database": {"maxConnections": NULL}}, "missing property 'maxConnections'"),
    ("one-node", {"service": {"replicas": "two"}}, "/service/replicas"),
    ("one-node", {"service": {"preStopSeconds": 600}}, "/service/preStopSeconds"),
    ("one-node", {"service": {"resources": {"limits": {"memory": "lots"}}}}, "/service/resources/limits/memory"),
    ("one-node", {"service": {"type": "LoadBalancer"}}, "service.tls is empty"),
    ("one-node", {"service": {"type": "NodePort"}}, "/service/type"),
    ("one-node", {"files": {"existingClaim": ""}}, "files.existingClaim is empty"),
    ("one-node", {"files": {"emptyDir": True}}, "exclude each other"),
    ("one-node", {"files": {"emptyDir": True, "existingClaim": ""}, "service": {"replicas": 2}}, "for a single pod"),
    ("three-nodes", {"files": {"emptyDir": True, "existingClaim": ""}}, "for a single pod"),
    ("three-nodes", {"worker": {"replicas": 0}}, "/worker/replicas"),
    ("three-nodes", {"service": {"autoscaling": {"maxReplicas": 2}}}, "service.autoscaling.maxReplicas"),
    ("three-nodes", {"networkPolicy": {"to": {"database": []}}}, "networkPolicy.to.database is empty"),
    ("three-nodes", {"networkPolicy": {"from": {"monitoring": []}}}, "networkPolicy.from.monitoring"),
    ("three-nodes", {"networkPolicy": {"to": {"database": [{"cidr": "postgres.example"}]}}}, "/networkPolicy/to/database/0"),
    ("three-nodes", {"networkPolicy": {"to": {"database": [{}]}}}, "/networkPolicy/to/database/0"),
    ("three-nodes", {"monitoring": {"podMonitor": {"interval": "often"}}}, "/monitoring/podMonitor/interval"),
    ("three-nodes", {"ingress": {"preset": "iis"}}, "/ingress/preset"),
    ("pgbouncer", {"pgbouncer": {"version": "1.20.1"}}, "older than 1.21"),
    ("pgbouncer", {"pgbouncer": {"version": "newest"}}, "/pgbouncer/version"),
    ("pgbouncer", {"pgbouncer": {"users": ""}}, "pgbouncer.users is empty"),
    ("pgbouncer", {"pgbouncer": {"tls": ""}}, "pgbouncer.tls is empty"),
    ("pgbouncer", {"pgbouncer": {"preparedStatements": 0}}, "/pgbouncer/preparedStatements"),
    ("pgbouncer", {"pgbouncer": {"serverLifetime": 0}}, "/pgbouncer/serverLifetime"),
]

# Values that a careful operator may set, checked like the examples.
ACCEPTED = {
    "a single pod without a claim": ("one-node", {"files": {"emptyDir": True, "existingClaim": ""}}),
    "two more database servers": (
        "three-nodes",
        {
            "database": {
                "servers": [
                    {"name": "east", "host": "east.pult.example"},
                    {"name": "west", "host": "pooler.pult.example", "direct": {"host": "west.pult.example", "port": 5433}},
                ]
            }
        },
    ),
    "a standby on another port": (
        "three-nodes",
        {"database": {"replica": {"host": "standby.pult.example", "port": 5544}}},
    ),
    "PgBouncer, with a standby and a server that it does not stand before": (
        "pgbouncer",
        {
            "database": {
                "replica": {"host": "standby.pult.example", "port": 5544},
                "servers": [{"name": "west", "host": "pooler", "port": 6432, "direct": {"host": "west", "port": 5433}}],
            }
        },
    ),
    "alerts without workers, with a claim of another name": (
        "one-node",
        {
            "files": {"existingClaim": "shared.files"},
            "monitoring": {
                "podMonitor": {"enabled": True},
                "rules": {"enabled": True, "runbooks": "https://git.pult.example/pult/blob/main/"},
                "dashboards": {"enabled": True},
            },
            "networkPolicy": {"from": {"monitoring": [{"namespace": {"kubernetes.io/metadata.name": "monitoring"}}]}},
        },
    ),
    "two pods on one node": ("one-node", {"service": {"replicas": 2}}),
    "everything switched off": (
        "three-nodes",
        {
            "networkPolicy": {"enabled": False},
            "disruptionBudget": {"enabled": False},
            "migration": {"enabled": False},
            "database": {"owner": {"provisioning": False, "user": "", "password": {"name": None, "key": None}}},
            "service": {"autoscaling": {"enabled": False}},
        },
    ),
    "a digest, tolerations, labels": (
        "three-nodes",
        {
            "image": {"digest": f"sha256:{HEX}"},
            "tolerations": [{"key": "pult", "operator": "Exists", "effect": "NoSchedule"}],
            "nodeSelector": {"disk": "fast"},
            "podAnnotations": {"example.com/a": "b"},
            "podLabels": {"team": "pult"},
            "authorities": {"name": "authorities", "key": "ca.crt"},
            "ingress": {"annotations": {"example.com/c": "d"}, "hosts": ["pult.example", "rendeles.pult.example"]},
            "settings": {"PULT_CONNECTIONS": 1000000, "PULT_CONNECTIONS_PER_ADDRESS": 600},
        },
    ),
    "mail and PgBouncer without encryption, where that is said": (
        "pgbouncer",
        {
            "mail": {"scheme": "smtp", "port": 25, "user": "", "password": {"name": None, "key": None}},
            "pgbouncer": {"tls": "", "plaintext": True, "preStop": []},
            "database": {"sslmode": "require", "ca": {"name": None, "key": None}},
        },
    ),
}

# Values over those of an example, and what stands in what is rendered then: whatever takes a number to where it works.
RENDERED = [
    (
        "pgbouncer",
        {"pgbouncer": {"serverLifetime": 123, "poolSize": 41, "maxClients": 2001, "preparedStatements": 201}},
        [
            "server_lifetime = 123\n",
            "default_pool_size = 41\n",
            "max_client_conn = 2001\n",
            "max_prepared_statements = 201\n",
            # The runbook of the pool asks the console as this user.
            "stats_users = pult_app\n",
            # Its default would keep the service away for 15 s after Postgres is back.
            "server_login_retry = 1\n",
        ],
    ),
    (
        "one-node",
        {
            "database": {"pool": 17, "lifetime": 1801},
            "migration": {"deadline": 3601, "keep": 86401},
            "tmpSize": "3Gi",
            "files": {"size": "21Gi"},
        },
        [
            '{ name: PULT_DATABASE_POOL, value: "17" }',
            '{ name: PULT_DATABASE_LIFETIME, value: "1801" }',
            "activeDeadlineSeconds: 3601\n",
            "ttlSecondsAfterFinished: 86401\n",
            "emptyDir: { sizeLimit: 3Gi }",
            "emptyDir: { sizeLimit: 21Gi }",
        ],
    ),
]
