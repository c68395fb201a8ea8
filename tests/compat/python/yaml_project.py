"""`prefect deploy` of a project file with several deployments, and schedules that are changed by the command line."""
import os
import shutil
from pathlib import Path

from prefect import get_client
from support import prefect, until

folder = Path(os.environ["PREFECT_HOME"]) / "project"
folder.mkdir()
shutil.copy(Path(__file__).parent / "served.py", folder)
(folder / "prefect.yaml").write_text(
    """
name: compat
pull:
  - prefect.deployments.steps.set_working_directory:
      directory: "{folder}"
deployments:
  - name: hourly
    entrypoint: served.py:greeting
    parameters: {name: Ada}
    schedules:
      - interval: 3600
        slug: every-hour
    work_pool: {name: yaml-pool}
  - name: never
    entrypoint: served.py:failing
    tags: [rare]
    concurrency_limit: 1
    work_pool: {name: yaml-pool}
""".replace("{folder}", str(folder))
)
prefect("work-pool", "create", "yaml-pool", "--type", "process")
os.chdir(folder)
prefect("--no-prompt", "deploy", "--all")
prefect("--no-prompt", "deploy", "--all")
with get_client(sync_client=True) as client:
    hourly = client.read_deployment_by_name("greeting/hourly")
    never = client.read_deployment_by_name("failing/never")
assert [each.slug for each in hourly.schedules] == ["every-hour"], hourly.schedules
assert hourly.parameters == {"name": "Ada"} and hourly.parameter_openapi_schema["properties"]["name"]
assert never.global_concurrency_limit.limit == 1 and never.tags == ["rare"], never


def scheduled():
    with get_client(sync_client=True) as client:
        return client.get_scheduled_flow_runs_for_deployments([hourly.id])


until("runs are scheduled", scheduled)
prefect("deployment", "schedule", "pause", "greeting/hourly", str(hourly.schedules[0].id))
assert scheduled() == []
prefect("deployment", "schedule", "create", "greeting/hourly", "--cron", "0 9 * * *", "--timezone", "Europe/Paris")
with get_client(sync_client=True) as client:
    schedules = client.read_deployment(hourly.id).schedules
assert {each.schedule.timezone for each in schedules if each.active} == {"Europe/Paris"}, schedules
