"""Tasks without a flow: alone, and handed to another process that serves them."""
import sys

from prefect import get_client, task
from support import running, until


@task(persist_result=True)
def double(number):
    return number * 2


if sys.argv[1:] == ["serve"]:
    double.serve()
    sys.exit()

if __name__ == "__main__":
    assert double(4) == 8
    future = double.delay(21)
    with running(sys.executable, __file__, "serve"):
        future.wait(timeout=120)
    assert future.state.is_completed(), future.state
    assert future.result() == 42
