#!/usr/bin/env bash
# Builds what is measured and measures it. `cargo xtask bench` calls this with a Postgres of its own; README.md has the method.
#   --clean   also how long a fresh clone takes from nothing to the first page
#   --scale   instead: a thousand partners
#   --onboarding [PART]  instead: settings, import, audit, picture, sockets, export, customers, finding, life, paying, previous, seeing, home, health; or only one of these
# For trying the bench itself: PULT_BENCH_PROFILE=dev, PULT_BENCH_SECONDS=0.5, PULT_BENCH_IDLE=1, PULT_BENCH_ROUNDS=1,
# PULT_BENCH_PARTNERS=30, PULT_BENCH_ORDERS=1000, PULT_BENCH_SOCKETS=100, PULT_BENCH_CUSTOMERS=1000.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v taskset >/dev/null || { echo "The bench pins programs to cores with taskset (Debian: util-linux)." >&2; exit 1; }
profile=${PULT_BENCH_PROFILE:-release}
binaries=target/$([ "$profile" = dev ] && echo debug || echo "$profile")
folder=$PWD/target/tmp/bench

# With the names of functions, so that perf can show where the time goes; the code is the same.
export CARGO_PROFILE_RELEASE_STRIP=none
cargo build --quiet --profile "$profile" --package server --package sandbox --package bench
echo "Commit $(git rev-parse --short HEAD); $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); load before: $(cut -d' ' -f1-3 /proc/loadavg)."
if [ "${1:-}" = --scale ]; then
    rm -rf "$folder"
    taskset -c 1 "$binaries/bench" scale "$binaries/pult" "$folder"
    echo
    PULT_TEST_DATABASE_URL=$PULT_BENCH_DATABASE_URL "$binaries/bench" door "$binaries/pult" "$folder"
    rm -rf "$folder"
    echo "Load after: $(cut -d' ' -f1-3 /proc/loadavg)."
    exit
fi
if [ "${1:-}" = --onboarding ]; then
    rm -rf "$folder"
    taskset -c 1 "$binaries/bench" onboarding "$binaries/pult" "$binaries/sandbox" "$folder" ${2:+"$2"}
    rm -rf "$folder"
    echo "Load after: $(cut -d' ' -f1-3 /proc/loadavg)."
    exit
fi
# The load generator runs inside of the program that measures: it has core 1, what it measures has core 0.
taskset -c 1 "$binaries/bench" run "$binaries/pult" "$binaries/sandbox" "$folder"
taskset -c 1 "$binaries/bench" onboarding "$binaries/pult" "$binaries/sandbox" "$folder/onboarding"
echo "Load after: $(cut -d' ' -f1-3 /proc/loadavg)."

echo
cargo build --quiet --package server
"$binaries/bench" edited target/debug/pult "$folder"

if [ "${1:-}" = --clean ]; then
    bash bench/clean.sh
fi
