// Made of the documents of the server: a new operation is tried as soon as it is described.
import { isLongRun } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  type DocumentedOperation,
  documentedOperations,
  forEachOperation,
} from "./testing/documented-operations.ts";
import { accountsServer, describeEachEngine } from "./testing/guarded-server.ts";
import { idColumns, stableRows, storedRows } from "./testing/stored-rows.ts";
import { operationName } from "./testing/strange-requests.ts";
import {
  type ProbeRound,
  requestOwn,
  type Scene,
  setScenes,
  strangeTokens,
  wrongIn,
} from "./testing/two-workspaces.ts";

/**
 * Where ids are kept as words of whoever sent them, and nothing is looked up by them but in the
 * workspace of the row. Everything else that names a row must name one of its own workspace.
 */
const SAID = [
  "artifacts.flow_run_id",
  "artifacts.task_run_id",
  "audit_log.resource",
  "audit_log.resource_id",
  "automation_resources.resource_id",
  "awaited_events.body",
  "awaited_events.event_id",
  "automations.actions",
  "automations.actions_on_resolve",
  "automations.actions_on_trigger",
  "automations.trigger",
  "concurrency_leases.holder_id",
  "event_related.resource_id",
  "event_related.set_id",
  "events.body",
  "events.id",
  "events.related_id",
  "flow_run_states.state",
  "flow_run_waits.event_id",
  "flow_runs.state",
  "journal_entries.task_run_id",
  "logs.flow_run_id",
  "logs.id",
  "logs.task_run_id",
  "task_run_states.state",
  "task_run_states.task_run_id",
  "task_runs.id",
  "task_runs.state",
  "task_runs.task_inputs",
  "work_pools.storage_configuration",
  // The process that counts, for every workspace.
  "workspace_counts.counter",
];

/** What is off by its settings answers so. */
const INVALID = ["GET /api/csrf-token"];
/** Nothing would be left of the asker's own workspace for those who come after. */
const DESTROYS = /^(DELETE |POST \/api\/\w+\/bulk_|PUT .*\/quotas$)/;

describeEachEngine("a workspace", (engine) => {
  test("is as if it were not there, for whoever asks from another account or another workspace of its own", async () => {
    await using server = await accountsServer(engine, {
      // Nothing is late before it is over.
      ORCHESTRATOR_RUNS_LATE_AFTER: "1h",
      ...(engine === "postgres" ? { ORCHESTRATOR_DATABASE_ROW_SECURITY: "required" } : {}),
    });
    const scenes = await setScenes(server);
    const operations = (await documentedOperations(server)).filter(({ isPublic }) => !isPublic);
    expect(operations.length).toBeGreaterThan(250);
    // Thousands of requests each: in a short run every database plays one of the two.
    const played = isLongRun ? scenes : [scenes[engine === "postgres" ? 1 : 0] as Scene];
    for (const scene of played) await playOut(scene, operations);
  }, 600_000);
});

/** Tries every operation from the asker's workspace, with whatever is in the other. */
async function playOut(scene: Scene, operations: readonly DocumentedOperation[]): Promise<void> {
  const { server, there, home, asker } = scene;
  const before = await storedRows(server.databaseUrl, there.workspaceId);
  const wrong: string[] = [];
  const takeTurn = async (turn: ProbeRound): Promise<void> => {
    await forEachOperation(operations, async (operation) => {
      wrong.push(...(await wrongIn(scene, operation, turn)));
    });
  };

  // Own things name strange ids before anybody looks for what they are connected with.
  await takeTurn("ids");
  await takeTurn("reads");
  const own = await storedRows(server.databaseUrl, home.workspaceId);
  const bearing = idColumns(own, scene.strangeIds).filter((name) => !SAID.includes(name));
  expect(bearing, asker).toEqual([]);

  const invalid: string[] = [];
  await forEachOperation(operations, async (operation) => {
    const name = operationName(operation);
    if (DESTROYS.test(name)) return;
    const { status, body } = await requestOwn(scene, operation);
    if (status === 422 || status === 400)
      invalid.push(`${name}: ${status} ${JSON.stringify(body)}`);
    if (strangeTokens(scene, JSON.stringify(body)).length > 0)
      wrong.push(`${name}: ${JSON.stringify(body)}`);
  });
  const unexpected = invalid.filter((text) => !INVALID.some((name) => text.startsWith(name)));
  expect(unexpected, asker).toEqual([]);

  for (const turn of ["renames", "uses", "makes", "queues"] as const) await takeTurn(turn);
  expect(wrong, asker).toEqual([]);
  const after = await storedRows(server.databaseUrl, there.workspaceId);
  expect(stableRows(after), asker).toEqual(stableRows(before));
}
