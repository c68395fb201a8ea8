// What acts where nobody asks acts inside its own workspace, and says who it is.
import { expect, test, vi } from "vitest";
import { accountsServer, type ServerResponse } from "./testing/guarded-server.ts";
import { plant, requestIn } from "./testing/planted-workspace.ts";
import { describeEachServer } from "./testing/shared-server.ts";
import { stableRows, storedRows } from "./testing/stored-rows.ts";
import { anotherAccount, anotherWorkspace } from "./testing/tenants.ts";

const PATIENCE = { timeout: 60_000, interval: 200 };
type Ask = ReturnType<typeof requestIn>;
interface ActionEvent {
  readonly event: string;
  readonly payload: { readonly action_type: string; readonly reason?: string };
  readonly related: readonly Readonly<Record<string, string>>[];
}

/** An automation that fires on one event and does one thing. */
function automate(ask: Ask, name: string, action: object): Promise<ServerResponse> {
  const trigger = { type: "event", expect: [`fire.${name}`], posture: "Reactive", threshold: 1 };
  return ask("POST", "/api/automations/", {
    name,
    trigger: { ...trigger, within: 0 },
    actions: [action],
  });
}

async function fire(ask: Ask, name: string, resource: string): Promise<void> {
  const event = {
    id: crypto.randomUUID(),
    event: `fire.${name}`,
    occurred: new Date().toISOString(),
    resource: { "prefect.resource.id": resource },
  };
  expect((await ask("POST", "/api/events", [event])).status).toBeLessThan(300);
}

async function actionEvents(ask: Ask): Promise<ActionEvent[]> {
  const filter = {
    event: { prefix: ["prefect.automation.action.", "orchestrator.automation.action."] },
  };
  const { body } = await ask("POST", "/api/events/filter", { filter, limit: 50 });
  return (body as { readonly events: ActionEvent[] }).events;
}

describeEachServer(
  "an automation",
  (shared) => {
    test("does nothing to what is in another workspace, whether it is told to or finds it in an event", async () => {
      const server = await shared.account();
      const there = await anotherWorkspace(server, "there");
      const strange = await plant(server, there, "strange");
      const home = await anotherAccount(server);
      const ask = requestIn(server, home);
      const before = stableRows(await storedRows(server.databaseUrl, there.workspaceId));
      const of = (kind: string, key: string, ...types: string[]) =>
        types.map((type) => ({ type, source: "selected", [key]: strange[kind] }));
      const told = [
        ...of("deployment", "deployment_id", "run-deployment", "pause-deployment"),
        ...of("pool", "work_pool_id", "pause-work-pool", "resume-work-pool"),
        ...of("queue", "work_queue_id", "pause-work-queue"),
        ...of("automation", "automation_id", "pause-automation"),
        ...of("monitor", "monitor_id", "run-check", "resume-monitor"),
      ];
      const found = ["cancel-flow-run", "delete-flow-run", "suspend-flow-run", "resume-flow-run"];
      const actions = [
        ...told,
        ...found.map((type) => ({ type })),
        { type: "change-flow-run-state", state: "FAILED", force: true },
        { type: "call-webhook", block_document_id: strange["block"], payload: "x" },
        { type: "send-notification", block_document_id: strange["block"], body: "x" },
      ];
      for (const [index, action] of actions.entries()) {
        const made = await automate(ask, `a${index}`, action);
        expect(made, action.type).toMatchObject({ status: 201 });
      }
      for (const index of actions.keys())
        await fire(ask, `a${index}`, `prefect.flow-run.${strange["run"]}`);

      await vi.waitFor(async () => {
        const events = await actionEvents(ask);
        const failed = events.filter(({ event }) => event.endsWith(".failed"));
        expect(failed.map(({ payload }) => payload.action_type).toSorted()).toEqual(
          actions.map(({ type }) => type).toSorted(),
        );
        for (const { payload } of failed) expect(payload.reason).not.toContain("strange");
      }, PATIENCE);
      expect((await actionEvents(ask)).filter(({ event }) => event.endsWith(".executed"))).toEqual(
        [],
      );
      expect(stableRows(await storedRows(server.databaseUrl, there.workspaceId))).toEqual(before);
      expect(await actionEvents(requestIn(server, there))).toEqual([]);
    });

    test("acts in its own workspace, under a name and with a role that its events tell", async () => {
      const server = await shared.account();
      const home = await anotherAccount(server);
      const ask = requestIn(server, home);
      const own = await plant(server, home, "own");
      const run = { type: "run-deployment", source: "selected", deployment_id: own["deployment"] };
      const made = await automate(ask, "go", run);
      expect(made).toMatchObject({ status: 201 });
      await fire(ask, "go", "x");
      await vi.waitFor(async () => {
        const events = await actionEvents(ask);
        const done = events.find(({ event }) => event.endsWith(".executed"));
        expect(done?.related.find((each) => Object.values(each).includes("actor"))).toSatisfy(
          (actor: object) => Object.values(actor).includes("developer"),
        );
      }, PATIENCE);
      const filter = { flow_runs: { created_by: { type_: ["AUTOMATION"] } } };
      expect(await ask("POST", "/api/flow_runs/filter", filter)).toMatchObject({
        body: [
          {
            deployment_id: own["deployment"],
            created_by: { id: (made.body as { readonly id: string }).id, display_value: "go" },
          },
        ],
      });
    });
  },
  (engine) => accountsServer(engine, { ORCHESTRATOR_RUNS_LATE_AFTER: "1h" }),
);
