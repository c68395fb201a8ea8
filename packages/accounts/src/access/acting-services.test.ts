import { expect, test } from "vitest";
import { callerOfService } from "./acting-services.ts";

const CREATE = "POST /api/deployments/{id}/create_flow_run";

test("a service does what its role may do by requests, and no more", () => {
  const scheduler = { name: "scheduler", role: "runner" };
  expect(callerOfService(scheduler, CREATE)).toEqual({
    kind: "service",
    id: "scheduler",
    name: "scheduler",
    isKeptFromSecrets: false,
    isKeptFromChanges: true,
  });
  expect(() => callerOfService(scheduler, "PATCH /api/automations/{id}")).toThrow(
    "The service scheduler has the role runner, which may not do this",
  );
});

test("a service that may only look is kept from secrets", () => {
  const watcher = { name: "watcher", role: "viewer" };
  expect(callerOfService(watcher, "GET /api/block_documents/{id}").isKeptFromSecrets).toBe(true);
  expect(() => callerOfService(watcher, CREATE)).toThrow("may not do this");
});

test("a role that nobody knows may only look", () => {
  expect(() => callerOfService({ name: "x", role: "emperor" }, CREATE)).toThrow(
    "has the role viewer",
  );
});

test("what nobody can be refused is refused to nobody", () => {
  expect(callerOfService({ name: "x", role: "viewer" }, null)).toMatchObject({ kind: "service" });
});
