import { expect, test, vi } from "vitest";
import { accountsServer, guardedServer } from "./testing/guarded-server.ts";

const PATIENCE = { timeout: 25_000, interval: 100 };
/** No disk is free altogether, so these are met by every disk. */
const LOW = { ORCHESTRATOR_DISK_WARN_BELOW: "100" };
const SHORT = { ORCHESTRATOR_DISK_REFUSE_BELOW: "100" };
const SHORT_OF_SPACE = {
  status: 507,
  body: {
    detail: expect.stringContaining("events, logs and artifacts are refused"),
    exception_message: "Insufficient Storage",
  },
};

const anEvent = (event: string) => ({
  event,
  resource: { "prefect.resource.id": "x" },
  occurred: new Date().toISOString(),
  id: crypto.randomUUID(),
});
const aLine = () => ({ name: "x", level: 20, message: "m", timestamp: new Date().toISOString() });

test("readiness reports a disk that runs low, and all writes succeed", async () => {
  await using server = await guardedServer(LOW);
  const { call } = server;
  expect(await call("GET", "/api/ready")).toMatchObject({
    status: 200,
    body: { message: "OK", warning: expect.stringMatching(/^Of the disk of the data only/) },
  });
  expect((await call("POST", "/api/logs/", { body: [aLine()] })).status).toBe(201);
});

test("readiness does not mention a disk with enough space", async () => {
  await using server = await guardedServer({
    ORCHESTRATOR_DISK_WARN_BELOW: "0",
    ORCHESTRATOR_DISK_REFUSE_BELOW: "0",
  });
  expect((await server.call("GET", "/api/ready")).body).not.toHaveProperty("warning");
});

test("a nearly full disk accepts state changes and refuses events, logs and artifacts", async () => {
  await using server = await guardedServer(SHORT);
  const { call } = server;
  const ask = (path: string, body: unknown) => call("POST", `/api${path}`, { body });
  expect(await ask("/logs/", [aLine()])).toMatchObject(SHORT_OF_SPACE);
  expect(await ask("/events", [anEvent("x.y")])).toMatchObject(SHORT_OF_SPACE);
  expect(await ask("/artifacts/", { key: "k", data: 1 })).toMatchObject(SHORT_OF_SPACE);
  const flow = await ask("/flows/", { name: "f" });
  const run = await ask("/flow_runs/", { flow_id: (flow.body as { readonly id: string }).id });
  const { id } = run.body as { readonly id: string };
  for (const type of ["RUNNING", "COMPLETED"])
    expect((await ask(`/flow_runs/${id}/set_state`, { state: { type } })).status).toBe(201);
  expect((await call("GET", "/api/ready")).status).toBe(200);
});

test("states of task runs are taken over HTTP and sockets, whatever the disk", async () => {
  await using server = await guardedServer(SHORT);
  const { call } = server;
  const aState = anEvent("prefect.task-run.Completed");
  expect((await call("POST", "/api/events", { body: [aState] })).status).toBe(204);
  await using socket = await server.socket("/api/events/in", null);
  expect(await socket.next()).toEqual({ type: "auth_success" });
  socket.send(anEvent("prefect.task-run.Running"));
  socket.send(anEvent("x.y"));
  expect(await socket.closed).toMatchObject({ code: 1013 });
  await vi.waitFor(async () => {
    const found = await call("POST", "/api/events/filter", {
      body: { filter: { event: { prefix: ["prefect.task-run", "x."] } } },
    });
    const { events } = found.body as { readonly events: readonly { readonly event: string }[] };
    expect(events.map(({ event }) => event).sort()).toEqual([
      "prefect.task-run.Completed",
      "prefect.task-run.Running",
    ]);
  }, PATIENCE);
});

test("a caller without a key learns nothing about the disk from a refused write", async () => {
  await using server = await accountsServer("sqlite", SHORT);
  expect((await server.call("POST", "/api/logs/", { body: [aLine()] })).status).toBe(401);
});
