"""The flows that serving.py serves and deploying.py deploys."""
import time

from prefect import flow, serve, suspend_flow_run, task


@task
def greet(name):
    return f"hello {name}"


@flow(log_prints=True)
def greeting(name: str = "nobody"):
    print(greet(name))


@flow(persist_result=True)
def staged():
    suspend_flow_run(timeout=120)
    return "went on"


@flow
def endless():
    while True:
        time.sleep(0.2)


@flow
def failing():
    raise ValueError("no way")


if __name__ == "__main__":
    serve(
        greeting.to_deployment("greet", cron="0 9 * * *", tags=["served"], parameters={"name": "default"}),
        staged.to_deployment("stage"),
        endless.to_deployment("forever"),
    )
