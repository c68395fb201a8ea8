"""A run that waits for a person, with and without a question, and one that nobody answers in time."""
import threading

from prefect import flow, get_client, pause_flow_run
from prefect.exceptions import FlowPauseTimeout
from prefect.flow_runs import resume_flow_run
from prefect.input import RunInput
from prefect.runtime import flow_run
from support import read_flow_run, until, until_state


class Approval(RunInput):
    approved: bool
    reason: str = "none"


seen = []


@flow
def publish():
    seen.append(flow_run.id)
    pause_flow_run(timeout=120, poll_interval=1)
    answer = pause_flow_run(wait_for_input=Approval.with_initial_data(reason="spelling"), timeout=120, poll_interval=1, key="ask")
    return answer.approved, answer.reason


def answer():
    run_id = until("the run has begun", lambda: seen and seen[0])
    until_state(run_id, "Paused")
    resume_flow_run(run_id)
    until_state(run_id, "Running")
    paused = until_state(run_id, "Paused")
    keyset = paused.state.state_details.run_input_keyset
    with get_client(sync_client=True) as client:
        schema = client._client.get(f"/flow_runs/{run_id}/input/{keyset['schema']}").json()
        assert "approved" in str(schema), schema
    resume_flow_run(run_id, run_input={"approved": True})


person = threading.Thread(target=answer, daemon=True)
person.start()
assert publish() == (True, "spelling")
person.join()
assert read_flow_run(seen[0]).state_name == "Completed"


@flow
def forgotten():
    try:
        pause_flow_run(timeout=2, poll_interval=1)
    except FlowPauseTimeout:
        return "nobody came"


assert forgotten() == "nobody came"
