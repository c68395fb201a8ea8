"""Results are kept and taken again: within a run, between runs and by a retry."""
from datetime import timedelta

from prefect import flow, task
from prefect.cache_policies import INPUTS
from prefect.runtime import flow_run
from support import task_runs_of

calls = []


@task(cache_policy=INPUTS, persist_result=True)
def load(city):
    calls.append(city)
    return {"city": city}


@task(cache_key_fn=lambda context, parameters: "the one", cache_expiration=timedelta(hours=1), persist_result=True)
def once():
    calls.append("once")
    return len(calls)


@task(persist_result=True)
def before_failure():
    calls.append("before")


@flow(persist_result=True)
def report():
    return flow_run.id, load("Bern"), load("Bern"), once(), once()


first, second = report(), report()
assert calls == ["Bern", "once"], calls
assert first[1:] == second[1:]
assert [run.state_name for run in task_runs_of(second[0], 4)] == ["Cached"] * 4
assert sorted(run.state_name for run in task_runs_of(first[0], 4)) == ["Cached", "Cached", "Completed", "Completed"]


@flow(retries=1, retry_delay_seconds=0, persist_result=True)
def again():
    before_failure()
    if flow_run.run_count == 1:
        raise RuntimeError("once more")
    return "done"


calls.clear()
assert again() == "done"
assert calls == ["before"], calls
