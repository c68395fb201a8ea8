"""Events: sent, heard and listed; automations that act on them; and the log of a run."""
import asyncio
import uuid

from prefect import flow, get_client, get_run_logger
from prefect.automations import Automation
from prefect.events import emit_event, get_events_subscriber
from prefect.events.actions import RunDeployment
from prefect.events.filters import EventFilter, EventNameFilter, EventResourceFilter
from prefect.events.schemas.automations import EventTrigger
from prefect.client.schemas.filters import LogFilter, LogFilterFlowRunId
from support import prefect, until

key = uuid.uuid4().hex
resource = {"prefect.resource.id": f"shop.{key}", "prefect.resource.name": "Shop"}


async def hear():
    wanted = EventFilter(event=EventNameFilter(name=["shop.opened"]), resource=EventResourceFilter(id=[f"shop.{key}"]))
    async with get_events_subscriber(filter=wanted) as subscriber:
        sent = emit_event("shop.opened", resource=resource, payload={"hour": 8})
        async for event in subscriber:
            return sent, event


sent, heard = asyncio.run(asyncio.wait_for(hear(), 60))
assert heard.id == sent.id and heard.payload == {"hour": 8}, heard


@flow
def react(hour: int = 0):
    get_run_logger().info("it is %s", hour)
    get_run_logger().warning("careful")
    print("not kept")


async def deployed():
    async with get_client() as client:
        flow_id = await client.create_flow(react)
        return await client.create_deployment(flow_id, "reaction", enforce_parameter_schema=False)


deployment_id = asyncio.run(deployed())
automation = Automation(
    name="react",
    trigger=EventTrigger(
        expect={"shop.opened"}, match={"prefect.resource.id": f"shop.{key}"}, posture="Reactive", threshold=2, within=60
    ),
    actions=[RunDeployment(deployment_id=deployment_id, parameters={"hour": "{{ event.payload.hour }}"})],
).create()
assert Automation.read(name="react").id == automation.id
prefect("automation", "pause", "react")
prefect("automation", "resume", "react")
assert "react" in prefect("automation", "ls")
for hour in (8, 9):
    emit_event("shop.opened", resource=resource, payload={"hour": hour})


def started():
    with get_client(sync_client=True) as client:
        return client.get_scheduled_flow_runs_for_deployments([deployment_id])


(run,) = until("the automation has run the deployment", started)
assert run.parameters == {"hour": 9}, run.parameters
assert Automation.read(id=automation.id).delete()

state = react(7, return_state=True)
run_id = state.state_details.flow_run_id


def lines():
    with get_client(sync_client=True) as client:
        found = client.read_logs(LogFilter(flow_run_id=LogFilterFlowRunId(any_=[run_id])))
        return found if any("Finished" in line.message for line in found) else None


messages = [line.message for line in until("the lines have arrived", lines)]
assert messages.count("it is 7") == 1 and messages.count("careful") == 1 and "not kept" not in messages, messages
assert "careful" in prefect("flow-run", "logs", str(run_id))
with get_client(sync_client=True) as client:
    wanted = {"filter": {"occurred": {}, "resource": {"id": [f"shop.{key}"]}, "order": "ASC"}}
    page = client._client.post("/events/filter", json=wanted).json()
assert [event["payload"]["hour"] for event in page["events"]] == [8, 8, 9], page
