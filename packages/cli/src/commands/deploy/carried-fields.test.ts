import { DeploymentCreate } from "@orchestrator/contract";
import { lostFields } from "@orchestrator/contract/testing";
import { expect, test } from "vitest";
import { SAME_ON_SERVER } from "./orchestrator-file.ts";
import { fieldsOf } from "./plan.ts";

const HOSTED = "a key of the hosted product, which the server ignores";
const UNNAMED = "ids of blocks differ from server to server";

test("orchestrator.yaml has a key for every field of a deployment", async () => {
  const same = Object.keys(SAME_ON_SERVER).map((key) => [key, 1]);
  const { fields } = await fieldsOf("orchestrator.yaml", {
    name: "nightly",
    command: "true",
    work_queue: "urgent",
    paused: false,
    collision_strategy: "ENQUEUE",
    on_crash: "fail",
    ...Object.fromEntries(same),
  });
  const carried = ["name", "flow_id", ...Object.keys(fields)];
  const exempt = {
    schedule: "the first of the schedules",
    global_concurrency_limit_id: "ids of limits differ from server to server",
    storage_document_id: UNNAMED,
    infrastructure_document_id: UNNAMED,
    version_info: HOSTED,
    branch: HOSTED,
    base: HOSTED,
    root: HOSTED,
  };
  const consumer = "orchestrator.yaml";
  expect(lostFields(DeploymentCreate, carried, { consumer, exempt })).toEqual([]);
});
