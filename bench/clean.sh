#!/usr/bin/env bash
# From a fresh clone with empty caches to the first page, besides downloads: compile, UI build, start.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/pult-clean-XXXXXX")
# Postgres does not run as root: its user must be able to enter, else the data would lie elsewhere and stay.
chmod 755 "$work"
up=
finish() {
    [ -z "$up" ] || { kill -INT "$up" 2>/dev/null || true; wait "$up" 2>/dev/null || true; }
    rm -rf "$work"
}
trap finish EXIT
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

git clone --quiet "$root" "$work/clone"
cd "$work/clone"
unset CARGO_TARGET_DIR PULT_DATABASE_URL
# Downloads are not counted: the registry's cache of this machine may be used, but nothing compiled.
cargo fetch --quiet --locked
step() { # name, command ...
    local name=$1 begun; shift
    begun=$(date +%s.%N)
    "$@" >"$work/$name.log" 2>&1 || { tail -20 "$work/$name.log" >&2; exit 1; }
    printf '| %s | %.0f s |\n' "$name" "$(echo "$(date +%s.%N) - $begun" | bc)"
}
total=$(date +%s.%N)
echo "| clean clone | time |"
echo "|---|--:|"
step "packages of the UI (download)" npm --prefix admin-ui ci
downloads=$(date +%s.%N)
step "UI" npm --prefix admin-ui run build
step "compile" cargo build --locked --package server --package sandbox --package xtask
begun=$(date +%s.%N)
cargo xtask up --port "$port" >"$work/up.log" 2>&1 &
up=$!
until curl -fs "http://localhost:$port/api/rest" >/dev/null 2>&1; do
    kill -0 "$up" 2>/dev/null || { tail -20 "$work/up.log" >&2; exit 1; }
    sleep 0.1
done
printf '| start, database and demo data | %.0f s |\n' "$(echo "$(date +%s.%N) - $begun" | bc)"
printf '| all besides downloads (target 300 s) | %.0f s |\n' "$(echo "$(date +%s.%N) - $downloads" | bc)"
