"""A flow called by a flow is a run of its own, for which a task run stands in the parent."""
import asyncio

from prefect import flow, get_client, task
from prefect.client.schemas.filters import FlowRunFilter
from prefect.runtime import flow_run
from support import read_flow_run, task_runs_of


@task
def step(number):
    return number + 1


@flow
def child(number: int):
    return {"id": flow_run.id, "parent": flow_run.parent_flow_run_id, "made": step(number)}


@flow(log_prints=True)
async def parent():
    later = await asyncio.to_thread(child, 5)
    return flow_run.id, [child(1), child(2), later]


parent_id, children = asyncio.run(parent())
assert [each["made"] for each in children] == [2, 3, 6], children
assert {each["parent"] for each in children} == {parent_id}, children
for each in children:
    run = read_flow_run(each["id"])
    assert run.state_name == "Completed" and run.parent_task_run_id is not None
    task_runs_of(each["id"], 1)
with get_client(sync_client=True) as client:
    found = client.read_flow_runs(flow_run_filter=FlowRunFilter(parent_flow_run_id={"any_": [parent_id]}))
    assert {str(run.id) for run in found} == {each["id"] for each in children}
    stand_ins = {client.read_task_run(run.parent_task_run_id).name for run in found}
    assert all(name.startswith("child") for name in stand_ins), stand_ins
