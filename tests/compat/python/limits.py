"""Global limits, rate limits and limits of tags: never more at once than allowed, and all get their turn."""
import threading
import time

from prefect import flow, get_client, task
from prefect.concurrency.sync import concurrency, rate_limit
from prefect.task_runners import ThreadPoolTaskRunner
from support import prefect, task_runs_of, until
from prefect.runtime import flow_run

prefect("gcl", "create", "database", "--limit", "2")
prefect("gcl", "create", "mail", "--limit", "2", "--slot-decay-per-second", "5")
prefect("concurrency-limit", "create", "narrow", "1")

lock = threading.Lock()
now = {"database": 0, "narrow": 0}
most = {"database": 0, "narrow": 0}


def hold(name):
    with lock:
        now[name] += 1
        most[name] = max(most[name], now[name])
    time.sleep(0.2)
    with lock:
        now[name] -= 1


@task
def query(_):
    with concurrency("database", occupy=1, timeout_seconds=120):
        hold("database")


@task(tags=["narrow"])
def squeeze(_):
    hold("narrow")


@flow(task_runner=ThreadPoolTaskRunner(max_workers=8))
def crowd():
    query.map(range(5)).wait()
    squeeze.map(range(3)).wait()
    for _ in range(3):
        rate_limit("mail")
    return flow_run.id


run_id = crowd()
assert most["narrow"] == 1 and 1 <= most["database"] <= 2, most
assert {run.state_name for run in task_runs_of(run_id, 8)} == {"Completed"}


def in_use():
    with get_client(sync_client=True) as client:
        return client.read_global_concurrency_limit_by_name("database").active_slots


until("all slots are free", lambda: in_use() == 0)
prefect("gcl", "update", "database", "--limit", "1")
assert "narrow" in prefect("concurrency-limit", "inspect", "narrow")
with get_client(sync_client=True) as client:
    assert client.read_global_concurrency_limit_by_name("database").limit == 1
    assert client.read_concurrency_limit_by_tag("narrow").active_slots == []
prefect("concurrency-limit", "delete", "narrow")
prefect("--no-prompt", "gcl", "delete", "database")
