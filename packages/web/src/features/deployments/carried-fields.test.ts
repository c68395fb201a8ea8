import { DeploymentUpdate } from "@orchestrator/contract";
import { lostFields } from "@orchestrator/contract/testing";
import { expect, test } from "vitest";
import { DEPLOYMENT_FORM } from "./deployment-form.tsx";

const HOSTED = "a key of the hosted product, which the server ignores";
const DEPLOYED = "follows from the code that is deployed";

test("the form of a deployment has every field that people change by hand", () => {
  const carried = DEPLOYMENT_FORM.map(({ field }) => field);
  const exempt = {
    concurrency_options: "the server derives it from on_collision",
    labels: "are set by whoever deploys",
    paused: "a button of its own",
    schedule: "a card of their own",
    schedules: "a card of their own",
    version: DEPLOYED,
    entrypoint: DEPLOYED,
    path: DEPLOYED,
    pull_steps: DEPLOYED,
    storage_document_id: DEPLOYED,
    infrastructure_document_id: DEPLOYED,
    parameter_openapi_schema: DEPLOYED,
    enforce_parameter_schema: DEPLOYED,
    work_pool_name: DEPLOYED,
    work_queue_name: DEPLOYED,
    global_concurrency_limit_id: "the form makes a limit of the deployment's own",
    version_info: HOSTED,
    branch: HOSTED,
    base: HOSTED,
    root: HOSTED,
  };
  const consumer = "the form of a deployment";
  expect(lostFields(DeploymentUpdate, carried, { consumer, exempt })).toEqual([]);
});
