"""Tasks in sequence, submitted and mapped; retries of tasks and flows; failures."""
from prefect import flow, get_client, task
from prefect.runtime import flow_run
from support import read_flow_run, task_runs_of

tries = {"task": 0, "flow": 0}


@task(retries=2, retry_delay_seconds=0, tags=["shaky"])
def shaky(number):
    tries["task"] += 1
    if tries["task"] < 3:
        raise ValueError("not yet")
    return number


@task
def double(number):
    return number * 2


@task(task_run_name="sum-of-{count}")
def add(numbers, count):
    return sum(numbers)


@flow(flow_run_name="for {first}", retries=1, retry_delay_seconds=0)
def work(first: int):
    tries["flow"] += 1
    begun = shaky.submit(first)
    doubled = double.map([begun, 2, 3])
    total = add(doubled.result(), 3)
    if tries["flow"] == 1:
        raise RuntimeError("once more")
    return flow_run.id, total


run_id, total = work(1)
assert total == 12, total
run = read_flow_run(run_id)
assert (run.name, run.state_name, run.run_count) == ("for 1", "Completed", 2), run
assert run.parameters == {"first": 1}
runs = task_runs_of(run_id, 10)
by_name = {each.name: each for each in runs}
assert by_name["sum-of-3"].state_name == "Completed"
attempts = sorted(each.run_count for each in runs if each.name.startswith("shaky"))
assert attempts[-1] == 3, attempts
parents = [entry.id for each in runs for values in each.task_inputs.values() for entry in values if entry.input_type == "task_run"]
assert parents, "no task run says whose result it took"


@task
def broken():
    raise ValueError("no way")


@flow
def failing():
    broken()


state = failing(return_state=True)
assert state.is_failed() and "no way" in state.message, state
with get_client(sync_client=True) as client:
    states = client.read_flow_run_states(state.state_details.flow_run_id)
names = [each.name for each in states]
assert names == ["Pending", "Running", "Failed"], names
(only,) = task_runs_of(state.state_details.flow_run_id, 1)
assert only.state_name == "Failed" and "no way" in only.state.message
