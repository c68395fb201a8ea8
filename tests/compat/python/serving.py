"""`serve`: one process that is the deployment and executes its runs; suspended runs go on, cancelled ones end."""
import sys

from prefect import get_client
from prefect.deployments import run_deployment
from prefect.exceptions import ObjectNotFound
from prefect.flow_runs import resume_flow_run
from support import prefect, running, task_runs_of, until, until_state


def deployment(name):
    with get_client(sync_client=True) as client:
        try:
            return client.read_deployment_by_name(name)
        except ObjectNotFound:
            return None


with running(sys.executable, "served.py"):
    until("the last deployment is there", lambda: deployment("endless/forever"))
    made = deployment("greeting/greet")
    assert made.schedules[0].schedule.cron == "0 9 * * *" and made.tags == ["served"], made

    run = run_deployment("greeting/greet", parameters={"name": "Ada"}, timeout=120, poll_interval=1)
    assert run.state_name == "Completed", run.state
    task_runs_of(run.id, 1)

    held = run_deployment("staged/stage", timeout=0)
    until_state(held.id, "Suspended")
    resume_flow_run(held.id)
    until_state(held.id, "Completed")
    with get_client(sync_client=True) as client:
        names = [state.name for state in client.read_flow_run_states(held.id)]
    assert names.count("Suspended") == 1 and names.count("Running") == 2, names

    stopped = run_deployment("endless/forever", timeout=0)
    until_state(stopped.id, "Running")
    prefect("flow-run", "cancel", str(stopped.id))
    until_state(stopped.id, "Cancelled")

assert deployment("greeting/greet").paused, "a deployment that nobody serves is paused"
