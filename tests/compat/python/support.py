"""What the scripts share: asking the server until it has what is expected, and running the command line."""
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId, TaskRunFilter

COMMAND = [sys.executable, "-m", "prefect"]


def until(what, check, seconds=180):
    """Asks until the answer is true; task runs and logs arrive a moment after the run has ended."""
    end = time.monotonic() + seconds
    while True:
        found = check()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"still waiting: {what}")
        time.sleep(0.2)


def task_runs_of(flow_run_id, count):
    """All task runs of a flow run, once that many have ended."""

    def look():
        with get_client(sync_client=True) as client:
            found = client.read_task_runs(
                flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[flow_run_id]))
            )
        assert len(found) <= count, [run.name for run in found]
        ended = len(found) == count and all(run.state and run.state.is_final() for run in found)
        return sorted(found, key=lambda run: run.name) if ended else None

    return until(f"{count} task runs", look)


def read_flow_run(flow_run_id):
    with get_client(sync_client=True) as client:
        return client.read_flow_run(flow_run_id)


def until_state(flow_run_id, *names):
    """The flow run, once its state has one of the names."""

    def look():
        run = read_flow_run(flow_run_id)
        assert run.state.name in names or not run.state.is_final(), run.state
        return run if run.state.name in names else None

    return until(f"state {names}", look)


def prefect(*arguments, code=0):
    """Runs the command line to its end and returns what it printed."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=240)
    said = done.stdout + done.stderr
    assert done.returncode == code, f"prefect {' '.join(arguments)} ended with {done.returncode}:\n{said}"
    return said


@contextmanager
def running(*arguments):
    """A command that runs meanwhile; interrupted at the end, as one does in a terminal."""
    child = subprocess.Popen(arguments)
    try:
        yield child
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(60)
