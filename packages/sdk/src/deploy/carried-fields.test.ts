import { DeploymentCreate } from "@orchestrator/contract";
import { lostFields } from "@orchestrator/contract/testing";
import { expect, test } from "vitest";
import { infrastructureOf } from "./deploy.ts";
import { fieldsOf, SENT_AS } from "./deployment.ts";

const HOSTED = "a key of the hosted product, which the server ignores";
const UNNAMED = "ids of blocks differ from server to server";

test("flow.deploy has an option for every field of a deployment", () => {
  const sent = Object.keys(SENT_AS).map((option) => [option, 1]);
  const definition = { name: "etl", options: { name: "etl" }, body: () => undefined };
  const fields = fieldsOf(definition, {
    name: "nightly",
    collisionStrategy: "ENQUEUE",
    ...Object.fromEntries(sent),
  });
  const infrastructure = infrastructureOf({
    name: "nightly",
    workPool: "local",
    workQueue: "urgent",
    entrypoint: "flows/etl.mjs:etl",
    jobVariables: {},
  });
  const keyed = fieldsOf(definition, { name: "nightly", concurrency: {} });
  const carried = ["name", "flow_id", ...Object.keys({ ...fields, ...keyed, ...infrastructure })];
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
  expect(lostFields(DeploymentCreate, carried, { consumer: "flow.deploy", exempt })).toEqual([]);
});
