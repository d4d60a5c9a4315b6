"""Prepares accounts, ids and a key of a running demo installation and lets Schemathesis call it by both documents.

run.py URL SECRET ACCOUNTS PULT SECONDS SEED [WORDS FOR SCHEMATHESIS]
SECRET is that of the super admin's second factor, ACCOUNTS what `pult demo` has printed, PULT the binary.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Of the demo.
PARTNER = "01900000-0000-7000-8000-000000000001"
RESTAURANT = "01900000-0000-7000-8000-00000000000b"


class Caller:
    """Somebody who is signed in, or has a key."""

    def __init__(self, url, token=None):
        self.url = url
        self.token = token

    def call(self, method, path, body=None):
        """The answer's headers and JSON; ends the run with the problem when it is refused."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.headers, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}")

    def sign_in(self, email, password, code=None):
        admin = {"email": email, "password": password}
        if code:
            admin["code"] = code
        headers, account = Caller(self.url).call("POST", "/api/v3/admins/sign_in", {"admin": admin})
        self.token = headers["authorization"].removeprefix("Bearer ")
        return account


def prepare(url, accounts, code):
    """The words that schemathesis.toml refers to."""
    rows = [line.split("\t") for line in Path(accounts).read_text().splitlines()]
    people = {row[0]: row[1:] for row in rows}
    partner, leaving = Caller(url), Caller(url)
    email, password = people["partner admin"][:2]
    partner.sign_in(email, password)
    leaving.sign_in(*people["restaurant admin"][:2])
    platform = Caller(url)
    platform.sign_in(*people["super admin"][:2], code)
    place = f"/api/v3/admin/partners/{PARTNER}/restaurants/{RESTAURANT}"
    _, key = partner.call("POST", f"{place}/api-keys", {"name": "Contract", "kind": "secret"})
    # Behind the limits of a shop's key nothing would be looked at.
    platform.call("PUT", f"/api/v3/super-admin/api-keys/{key['id']}/limits", {"limit_factor": 1000})
    other, other_restaurant = another_partner(platform)
    person = {"email": f"{uuid.uuid4()}@pult.example", "first_name": "Contract", "last_name": "Contract", "restaurant_ids": [RESTAURANT]}
    _, admin = partner.call("POST", f"/api/v3/admin/partners/{PARTNER}/admins", person)
    return {
        "PULT_OTHER_PARTNER": other,
        "PULT_OTHER_RESTAURANT": other_restaurant,
        "PULT_OTHER_ADMIN": admin["id"],
        "PULT_TOKEN": partner.token,
        "PULT_LEAVING_TOKEN": leaving.token,
        "PULT_PLATFORM_TOKEN": platform.token,
        "PULT_KEY": key["api_key"],
        "PULT_PARTNER": PARTNER,
        "PULT_RESTAURANT": RESTAURANT,
    }


def another_partner(platform):
    """A partner that may be suspended and deleted, and its restaurant."""
    admin = {"email": f"{uuid.uuid4()}@pult.example"}
    body = {"name": f"Contract {uuid.uuid4()}", "restaurant_name": "Contract", "mode": "sandbox", "admin": admin}
    _, partner = platform.call("POST", "/api/v3/super-admin/partners", body)
    for _ in range(150):
        _, restaurants = platform.call("GET", "/api/v3/super-admin/restaurants?limit=200")
        for restaurant in restaurants:
            if restaurant["partner_id"] == partner["id"]:
                return partner["id"], restaurant["id"]
        time.sleep(0.2)
    sys.exit("The new partner is not ready after 30 s.")


def main():
    url, secret, accounts, pult, seconds, seed = sys.argv[1:7]
    code = subprocess.run([pult, "second-factor-code", secret], capture_output=True, text=True, check=True).stdout.strip()
    environment = dict(os.environ, **prepare(url, accounts, code), SCHEMATHESIS_HOOKS="hooks", PYTHONPATH=str(HERE), PYTHONDONTWRITEBYTECODE="1")
    failed = False
    # The key first: it is one of those that the other run changes and deletes.
    for file, share in [("public.json", int(seconds) // 4), ("openapi.json", int(seconds))]:
        environment["PULT_DOCUMENT"] = file
        start = "from schemathesis.cli import schemathesis; schemathesis()"
        # Two runs: one that goes round its phases until the time is over breaks in Schemathesis 4.32 between them.
        for phases, seconds_of_these in [("examples,coverage,fuzzing", share * 3 // 4), ("stateful", share // 4)]:
            words = ["--url", url, "--seed", seed, "--phases", phases, "--max-time", str(seconds_of_these), "--workers", "2", *sys.argv[7:]]
            print(f"\n{file}, {phases}, {seconds_of_these} s, seed {seed}", flush=True)
            command = [sys.executable, "-c", start, "--config-file", str(HERE / "schemathesis.toml"), "run", str(HERE.parent / file), *words]
            # What it leaves behind lies where this was started, which is thrown away.
            done = subprocess.run(command, env=environment)
            failed = failed or done.returncode != 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
