{{- define "pult.name" -}}
{{- if contains "pult" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-pult" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "pult.selector" -}}
app.kubernetes.io/name: pult
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pult.labels" -}}
{{ include "pult.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* What Kubernetes and Postgres allow in names and addresses is the schema's; what belongs together is here. */}}
{{- define "pult.validate" -}}
{{- $v := .Values }}
{{- if and $v.ingress.enabled (not $v.settings.PULT_TRUSTED_PROXIES) }}
{{- fail "settings.PULT_TRUSTED_PROXIES is empty and ingress.enabled is true: behind a proxy that is not trusted all guests have one address, and share its limits of sign-ins and connections (docs/operating.md, The address of a client)" }}
{{- end }}
{{- if and (eq $v.service.type "LoadBalancer") (not $v.service.tls) }}
{{- fail "service.tls is empty and service.type is LoadBalancer: nobody would end TLS" }}
{{- end }}
{{- if and $v.files.emptyDir $v.files.existingClaim }}
{{- fail "files.existingClaim and files.emptyDir exclude each other" }}
{{- end }}
{{- if not (or $v.files.emptyDir $v.files.existingClaim) }}
{{- fail "files.existingClaim is empty: name the claim that all pods share (or files.emptyDir: true for a single pod)" }}
{{- end }}
{{- if and $v.files.emptyDir (or $v.worker.enabled $v.service.autoscaling.enabled (gt (int $v.service.replicas) 1)) }}
{{- fail "files.emptyDir is for a single pod: service.replicas 1, worker.enabled false, service.autoscaling.enabled false; several pods share files.existingClaim" }}
{{- end }}
{{- range $name := list "service" "worker" }}
{{- $part := index $v $name }}
{{- if and $part.autoscaling.enabled (lt (int $part.autoscaling.maxReplicas) (int $part.replicas)) }}
{{- fail (printf "%s.autoscaling.maxReplicas is less than %s.replicas" $name $name) }}
{{- end }}
{{- end }}
{{- with int $v.database.maxConnections }}
{{- $open := include "pult.connections" $ | int }}
{{- if gt $open . }}
{{- fail (printf "database.maxConnections is %d, and the pods may open %d: raise max_connections, lower database.pool or maxReplicas, or use pgbouncer.enabled (docs/operating.md, Postgres)" . $open) }}
{{- end }}
{{- end }}
{{- $names := list }}
{{- $places := list (printf "%s:%d" $v.database.host (int $v.database.port)) }}
{{- range $server := $v.database.servers }}
{{- $place := printf "%s:%d" $server.host (int ($server.port | default 5432)) }}
{{- if has $server.name $names }}
{{- fail (printf "database.servers has %s twice" $server.name) }}
{{- end }}
{{- if has $place $places }}
{{- fail (printf "database.servers: %s is at %s, as another server is: two names of one database" $server.name $place) }}
{{- end }}
{{- $names = append $names $server.name }}
{{- $places = append $places $place }}
{{- end }}
{{- if and (or $v.migration.enabled $v.database.owner.provisioning) (not (and $v.database.owner.user $v.database.owner.password)) }}
{{- fail "database.owner.user and database.owner.password are needed by the migration and for creating partners (migration.enabled, database.owner.provisioning)" }}
{{- end }}
{{- if ne (empty $v.mail.user) (empty $v.mail.password) }}
{{- fail "mail.user and mail.password belong together" }}
{{- end }}
{{- if and (eq $v.mail.scheme "smtp") (not $v.mail.starttls) $v.mail.user }}
{{- fail "mail.scheme is smtp and mail.starttls is false: the password of mail.user would cross the network readable" }}
{{- end }}
{{- if or (and (eq $v.mail.scheme "smtp") (eq (int $v.mail.port) 465)) (and (eq $v.mail.scheme "smtps") (has (int $v.mail.port) (list 25 587))) }}
{{- fail (printf "mail.scheme is %s and mail.port is %d: port 465 is smtps, 25 and 587 are smtp" $v.mail.scheme (int $v.mail.port)) }}
{{- end }}
{{- if $v.pgbouncer.enabled }}
{{- range $name := list "image" "version" "users" }}
{{- if not (index $v.pgbouncer $name) }}{{ fail (printf "pgbouncer.%s is empty" $name) }}{{ end }}
{{- end }}
{{- if not (semverCompare ">=1.21.0" $v.pgbouncer.version) }}
{{- fail "pgbouncer.version is older than 1.21: named statements fail behind it" }}
{{- end }}
{{- $pods := int $v.service.replicas }}
{{- if $v.worker.enabled }}{{ $pods = add $pods (int $v.worker.replicas) | int }}{{ end }}
{{- if lt (mul $v.pgbouncer.poolSize $v.pgbouncer.replicas | int) (mul $v.database.pool $pods | int) }}
{{- fail (printf "pgbouncer.poolSize times pgbouncer.replicas is less than database.pool times the %d pods: one held lock would make all of them unready" $pods) }}
{{- end }}
{{- if not (or $v.pgbouncer.tls $v.pgbouncer.plaintext) }}
{{- fail "pgbouncer.tls is empty: name the Secret of its certificate, or say pgbouncer.plaintext: true" }}
{{- end }}
{{- end }}
{{- with $v.networkPolicy }}
{{- if .enabled }}
{{- range $place, $peers := dict "from.ingress" .from.ingress "to.dns" .to.dns "to.database" .to.database "to.objectStore.peers" .to.objectStore.peers "to.mail" .to.mail }}
{{- if not $peers }}{{ fail (printf "networkPolicy.%s is empty: the pods could not work (networkPolicy.enabled: false leaves the network open)" $place) }}{{ end }}
{{- end }}
{{- if and $v.monitoring.podMonitor.enabled (not .from.monitoring) }}
{{- fail "networkPolicy.from.monitoring is empty and monitoring.podMonitor.enabled is true: Prometheus could not reach the pods" }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The most connections to the home server: one pod more of each kind while they are replaced, as many as the autoscalers
may bring; ten for the migration and what Postgres reserves. */}}
{{- define "pult.connections" -}}
{{- $v := .Values }}
{{- $sum := 10 }}
{{- $direct := add $v.database.pool 2 }}
{{- if $v.pgbouncer.enabled }}
{{- $direct = 1 }}
{{- $sum = add $sum (mul (add1 $v.pgbouncer.replicas) $v.pgbouncer.poolSize) }}
{{- end }}
{{- range $name := list "service" "worker" }}
{{- $part := index $v $name }}
{{- if or (eq $name "service") $part.enabled }}
{{- $pods := add1 (ternary $part.autoscaling.maxReplicas $part.replicas $part.autoscaling.enabled) }}
{{- $works := or (eq $name "worker") (not $v.worker.enabled) }}
{{- $sum = add $sum (mul $pods (add $direct (ternary 8 0 (and $works $v.database.owner.provisioning)))) }}
{{- end }}
{{- end }}
{{- $sum }}
{{- end }}

{{- define "pult.fromSecret" -}}
{ secretKeyRef: { name: {{ .name | quote }}, key: {{ .key | quote }} } }
{{- end }}

{{/* The query of an address of Postgres: how TLS is checked. */}}
{{- define "pult.sslmode" -}}
sslmode={{ .Values.database.sslmode }}{{ if .Values.database.ca }}&sslrootcert=/secrets/postgres/ca.crt{{ end }}
{{- end }}

{{/* The other database servers, as the service takes them. */}}
{{- define "pult.servers" -}}
{{- $servers := list }}
{{- range .root.Values.database.servers }}
{{- $at := ternary (.direct | default .) . (default false $.direct) }}
{{- $servers = append $servers (printf "%s=postgres://%s:$(%s)@%s:%d/%s?%s" .name $.user $.password $at.host (int ($at.port | default 5432)) $.root.Values.database.name (include "pult.sslmode" $.root)) }}
{{- end }}
{{- join " " $servers }}
{{- end }}

{{/* The environment of the service, the worker and the migration, which gets nothing but the databases.
`.owner`: with the role that may create roles. */}}
{{- define "pult.env" -}}
{{- $v := .root.Values }}
{{- $server := printf "%s:%d/%s?%s" $v.database.host (int $v.database.port) $v.database.name (include "pult.sslmode" .root) }}
{{- $direct := printf "postgres://pult_app:$(DATABASE_PASSWORD)@%s" $server }}
- { name: PULT_CHART, value: {{ index .root.Chart.Annotations "example.pult.chart" | quote }} }
- name: DATABASE_PASSWORD
  valueFrom: {{ include "pult.fromSecret" $v.database.password }}
{{- if and $v.pgbouncer.enabled (ne .component "migration") }}
- name: PULT_DATABASE_URL
  value: "postgres://pult_app:$(DATABASE_PASSWORD)@{{ include "pult.name" .root }}-pgbouncer:5432/{{ $v.database.name }}?{{ if $v.pgbouncer.tls }}sslmode=verify-full&sslrootcert=/secrets/pgbouncer/ca.crt{{ else }}sslmode=disable{{ end }}"
- { name: PULT_DATABASE_LISTEN_URL, value: {{ $direct | quote }} }
{{- else }}
- { name: PULT_DATABASE_URL, value: {{ $direct | quote }} }
{{- end }}
{{- if .owner }}
- name: DATABASE_OWNER_PASSWORD
  valueFrom: {{ include "pult.fromSecret" $v.database.owner.password }}
- { name: PULT_DATABASE_OWNER_URL, value: {{ printf "postgres://%s:$(DATABASE_OWNER_PASSWORD)@%s" $v.database.owner.user $server | quote }} }
{{- end }}
{{- if $v.database.servers }}
- { name: PULT_DATABASE_SERVERS, value: {{ include "pult.servers" (dict "root" .root "user" "pult_app" "password" "DATABASE_PASSWORD") | quote }} }
- { name: PULT_DATABASE_SERVERS_LISTEN, value: {{ include "pult.servers" (dict "root" .root "user" "pult_app" "password" "DATABASE_PASSWORD" "direct" true) | quote }} }
{{- if .owner }}
- { name: PULT_DATABASE_SERVERS_OWNER, value: {{ include "pult.servers" (dict "root" .root "user" $v.database.owner.user "password" "DATABASE_OWNER_PASSWORD" "direct" true) | quote }} }
{{- end }}
{{- end }}
{{- if $v.authorities }}
- { name: SSL_CERT_FILE, value: /secrets/authorities/ca.crt }
{{- end }}
{{- $migration := eq .component "migration" }}
{{- range $name, $value := $v.settings }}
{{- if or (not $migration) (has $name (list "PULT_INSTALLATION" "PULT_LOG")) }}
{{- /* A whole number without the exponent that large ones would get. */}}
- { name: {{ $name }}, value: {{ (and (kindIs "float64" $value) (eq (floor $value) $value)) | ternary (int64 $value | toString) (toString $value) | quote }} }
{{- end }}
{{- end }}
{{- if not $migration }}
- { name: PULT_LISTEN, value: "0.0.0.0:8080" }
- { name: PULT_METRICS_LISTEN, value: "0.0.0.0:9090" }
- { name: PULT_FILES_DIR, value: /files }
{{- if $v.database.replica.host }}
- { name: PULT_DATABASE_REPLICA_URL, value: {{ printf "postgres://pult_app:$(DATABASE_PASSWORD)@%s:%d/%s?%s" $v.database.replica.host (int $v.database.replica.port) $v.database.name (include "pult.sslmode" .root) | quote }} }
{{- end }}
- { name: PULT_DATABASE_POOL, value: {{ int $v.database.pool | quote }} }
- { name: PULT_DATABASE_LIFETIME, value: {{ int $v.database.lifetime | quote }} }
{{- if $v.mail.password }}
- name: MAIL_PASSWORD
  valueFrom: {{ include "pult.fromSecret" $v.mail.password }}
{{- end }}
- name: PULT_SMTP_URL
  value: "{{ $v.mail.scheme }}://{{ if $v.mail.password }}{{ $v.mail.user }}:$(MAIL_PASSWORD)@{{ end }}{{ $v.mail.host }}:{{ int $v.mail.port }}{{ if $v.mail.starttls }}?tls=required{{ end }}"
{{- if and (eq .component "service") $v.worker.enabled }}
- { name: PULT_JOBS, value: "off" }
{{- end }}
{{- if and (eq .component "service") $v.service.tls }}
- { name: PULT_TLS_CERT, value: /secrets/tls/tls.crt }
- { name: PULT_TLS_KEY, value: /secrets/tls/tls.key }
{{- end }}
{{- if $v.fcmKey }}
- { name: PULT_FCM_KEY_FILE, value: /secrets/files/fcm.json }
{{- end }}
{{- range $name, $secret := $v.secrets }}
{{- if $secret }}
- name: {{ $name }}
  valueFrom: {{ include "pult.fromSecret" $secret }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "pult.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "pult.containerSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
privileged: false
capabilities: { drop: [ALL] }
{{- end }}

{{/* Where pods run: of service, worker and PgBouncer. */}}
{{- define "pult.placement" -}}
{{- $v := .root.Values }}
serviceAccountName: {{ $v.serviceAccount }}
automountServiceAccountToken: false
{{- /* A Service named pult would else put PULT_PORT and others into the environment. */}}
enableServiceLinks: false
{{- with $v.priorityClass }}
priorityClassName: {{ . }}
{{- end }}
{{- with $v.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with $v.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $v.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- if ne .component "migration" }}
{{- $pods := printf "{ %s, app.kubernetes.io/component: %s }" (include "pult.selector" .root | replace "\n" ", ") .component }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: {{ $v.spread }}
    {{- /* Else a node that takes no pods (the control plane) counts as an empty one, and a second pod on the others waits. */}}
    nodeTaintsPolicy: Honor
    labelSelector: { matchLabels: {{ $pods }} }
    matchLabelKeys: [pod-template-hash]
{{- /* Not a constraint beside the other: a scheduler compares only nodes that have the labels of all of them. */}}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: topology.kubernetes.io/zone
          labelSelector: { matchLabels: {{ $pods }} }
          matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}

{{/* The pod of service, worker and migration: `.component`, `.command`, `.resources`, `.owner`, `.root`. */}}
{{- define "pult.pod" -}}
{{- $v := .root.Values }}
{{- $serving := ne .component "migration" }}
metadata:
  labels:
    {{- include "pult.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
    {{- with $v.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with $v.podAnnotations }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "pult.placement" . | nindent 2 }}
  {{- if $serving }}
  terminationGracePeriodSeconds: {{ add 40 (int $v.service.preStopSeconds) }}
  {{- else }}
  {{- /* It hears no signal: an upgrade's next migration would find its lock taken. What was cut goes on later. */}}
  terminationGracePeriodSeconds: 2
  restartPolicy: Never
  {{- end }}
  securityContext: {{ include "pult.podSecurity" .root | nindent 4 }}
  containers:
    - name: pult
      image: {{ $v.image.repository }}{{ if $v.image.digest }}@{{ $v.image.digest }}{{ else }}:{{ $v.image.tag | default .root.Chart.AppVersion }}{{ end }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      command: [/pult]
      args: [{{ .command }}]
      env: {{ include "pult.env" . | nindent 8 }}
      resources: {{ toYaml .resources | nindent 8 }}
      securityContext: {{ include "pult.containerSecurity" .root | nindent 8 }}
      {{- if $serving }}
      ports:
        {{- if eq .component "service" }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: metrics, containerPort: 9090 }
      {{- /* It waits for a database that is away or not migrated: a restart would not help. */}}
      startupProbe:
        httpGet: { path: /startupz, port: metrics }
        periodSeconds: 1
        timeoutSeconds: 2
        failureThreshold: 3600
      readinessProbe:
        httpGet: { path: /readyz, port: metrics }
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      livenessProbe:
        httpGet: { path: /livez, port: metrics }
        periodSeconds: 10
        timeoutSeconds: 3
        failureThreshold: 3
      {{- if and (eq .component "service") $v.service.preStopSeconds }}
      lifecycle: { preStop: { sleep: { seconds: {{ int $v.service.preStopSeconds }} } } }
      {{- end }}
      {{- end }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: files, mountPath: /files }
        {{- if $v.database.ca }}
        - { name: postgres-ca, mountPath: /secrets/postgres, readOnly: true }
        {{- end }}
        {{- if and $serving $v.pgbouncer.enabled $v.pgbouncer.tls }}
        - { name: pgbouncer-ca, mountPath: /secrets/pgbouncer, readOnly: true }
        {{- end }}
        {{- if and (eq .component "service") $v.service.tls }}
        - { name: tls, mountPath: /secrets/tls, readOnly: true }
        {{- end }}
        {{- if $v.authorities }}
        - { name: authorities, mountPath: /secrets/authorities, readOnly: true }
        {{- end }}
        {{- if and $serving $v.fcmKey }}
        - { name: fcm-key, mountPath: /secrets/files, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: {{ $v.tmpSize }} }
    - name: files
      {{- if or $v.files.emptyDir (not $serving) }}
      {{- /* A migration touches no file, and must not wait for a volume. */}}
      emptyDir: { sizeLimit: {{ $v.files.size }} }
      {{- else }}
      persistentVolumeClaim: { claimName: {{ $v.files.existingClaim }} }
      {{- end }}
    {{- with $v.database.ca }}
    - name: postgres-ca
      secret: { secretName: {{ .name }}, defaultMode: 0440, items: [{ key: {{ .key }}, path: ca.crt }] }
    {{- end }}
    {{- if and $serving $v.pgbouncer.enabled $v.pgbouncer.tls }}
    - name: pgbouncer-ca
      secret: { secretName: {{ $v.pgbouncer.tls }}, defaultMode: 0440, items: [{ key: ca.crt, path: ca.crt }] }
    {{- end }}
    {{- if and (eq .component "service") $v.service.tls }}
    - name: tls
      secret: { secretName: {{ $v.service.tls }}, defaultMode: 0440 }
    {{- end }}
    {{- with $v.authorities }}
    - name: authorities
      secret: { secretName: {{ .name }}, defaultMode: 0440, items: [{ key: {{ .key }}, path: ca.crt }] }
    {{- end }}
    {{- if and $serving $v.fcmKey }}
    - name: fcm-key
      secret: { secretName: {{ $v.fcmKey.name }}, defaultMode: 0440, items: [{ key: {{ $v.fcmKey.key }}, path: fcm.json }] }
    {{- end }}
{{- end }}

{{/* The peers of a network policy. */}}
{{- define "pult.peers" -}}
{{- range . }}
{{- if .cidr }}
- ipBlock:
    cidr: {{ .cidr }}
    {{- with .except }}
    except: {{ toYaml . | nindent 6 }}
    {{- end }}
{{- else }}
- {{ if .namespace }}namespaceSelector: { matchLabels: {{ toJson .namespace }} }{{ end }}
  {{- if .pods }}
  podSelector: { matchLabels: {{ toJson .pods }} }
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* What every pod reaches: names and Postgres, with every port that `pult.env` and PgBouncer connect to. */}}
{{- define "pult.toDatabase" -}}
{{- $to := .Values.networkPolicy.to }}
- to: {{ include "pult.peers" $to.dns | nindent 4 }}
  ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }]
{{- $ports := list (int .Values.database.port) }}
{{- range .Values.database.servers }}
{{- $ports = concat $ports (list (int (.port | default 5432)) (int ((.direct | default .).port | default 5432))) }}
{{- end }}
{{- if .Values.database.replica.host }}
{{- $ports = append $ports (int .Values.database.replica.port) }}
{{- end }}
- to: {{ include "pult.peers" $to.database | nindent 4 }}
  ports:
    {{- range uniq $ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end }}

{{/* A budget and an autoscaler for `.component`. */}}
{{- define "pult.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "pult.name" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{ include "pult.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  # Pods that wait for a database that is away must not keep its node from being repaired.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "pult.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "pult.autoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "pult.name" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{ include "pult.labels" .root | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "pult.name" .root }}-{{ .component }} }
  minReplicas: {{ int .part.replicas }}
  maxReplicas: {{ int .part.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ int .part.autoscaling.cpu }} } }
    {{- $target := printf "{ type: AverageValue, averageValue: %q }" (int .waiting | toString) }}
    {{- if and .waiting (eq .component "service") }}
    - type: Pods
      pods: { metric: { name: pult_http_waiting_requests }, target: {{ $target }} }
    {{- else if .waiting }}
    {{- /* Every instance counts all jobs, so it is no metric of a pod. */}}
    - type: External
      external: { metric: { name: pult_job_waiting }, target: {{ $target }} }
    {{- end }}
  behavior:
    {{- /* Up at once; down slowly, because a pod that goes sends its sockets to the others. */}}
    scaleUp: { stabilizationWindowSeconds: 0 }
    scaleDown:
      stabilizationWindowSeconds: 300
      policies: [{ type: Pods, value: 1, periodSeconds: 120 }]
{{- end }}
