"""Pools, workers and deployments by the command line: create, deploy, start, run and watch, fail, cancel."""
from pathlib import Path
from uuid import UUID

from prefect import get_client
from prefect.deployments import run_deployment
from prefect.flows import Flow
from support import COMMAND, prefect, running, until, until_state

HERE = Path(__file__).parent
POOL = "compat-pool"


def deploy(name, **options):
    made = Flow.from_source(source=str(HERE), entrypoint=f"served.py:{name}")
    return made.deploy("compat", work_pool_name=POOL, print_next_steps=False, **options)


def pool_status():
    with get_client(sync_client=True) as client:
        return client._client.get(f"/work_pools/{POOL}").json()["status"]


prefect("work-pool", "create", POOL, "--type", "process")
assert POOL in prefect("work-pool", "ls")
assert pool_status() == "NOT_READY"
ids = {name: deploy(name) for name in ("greeting", "endless", "failing")}
assert all(isinstance(each, UUID) for each in ids.values()), ids
deploy("greeting", cron="0 9 * * *", tags=["nightly"], job_variables={"env": {"WHERE": "here"}})
assert "nightly" in prefect("deployment", "inspect", "greeting/compat")

with running(*COMMAND, "worker", "start", "--pool", POOL, "--type", "process", "--name", "compat-worker"):
    until("the pool is ready", lambda: pool_status() == "READY")
    said = prefect("deployment", "run", "greeting/compat", "--param", "name=Ada", "--watch", "--watch-interval", "1")
    assert "finished successfully" in said, said

    prefect("deployment", "run", "failing/compat", "--watch", "--watch-interval", "1", code=1)

    run = run_deployment("endless/compat", timeout=0)
    until_state(run.id, "Running")
    prefect("flow-run", "cancel", str(run.id))
    until_state(run.id, "Cancelled")

    prefect("work-pool", "pause", POOL)
    waiting = run_deployment("greeting/compat", timeout=0)
    assert pool_status() == "PAUSED"
    prefect("work-pool", "resume", POOL)
    until_state(waiting.id, "Completed")

prefect("deployment", "delete", "greeting/compat")
prefect("--no-prompt", "work-pool", "delete", POOL)
