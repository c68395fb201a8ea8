"""Runs a flow of no-op tasks for every line it reads, and answers with the time and the CPU it took."""
import json
import sys
import time

from prefect import flow, task
from prefect.events.worker import EventsWorker


@task
def noop(number):
    return number


@flow
def bench(tasks: int, mapped: bool):
    if mapped:
        noop.map(range(tasks)).result()
    else:
        for number in range(tasks):
            noop(number)


for line in sys.stdin:
    shape = json.loads(line)
    cpu, start = time.process_time(), time.perf_counter()
    bench(shape["tasks"], shape["mapped"])
    # As on our side, until the server has been told everything.
    EventsWorker.instance().wait_until_empty()
    answer = {"ms": (time.perf_counter() - start) * 1000, "cpu_micros": (time.process_time() - cpu) * 1e6}
    print(json.dumps(answer), flush=True)
