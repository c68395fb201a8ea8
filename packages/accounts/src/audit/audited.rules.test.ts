import { expect, test } from "vitest";
import { rightFor } from "../access/permissions.rules.ts";
import { idInAnswer, interestIn, isTelemetry, mayCreate, resourceOf } from "./audited.rules.ts";

test.each([
  ["POST", "/api/flows/filter", "none"],
  ["GET", "/api/variables/:id", "none"],
  ["GET", "/api/admin/settings", "none"],
  ["POST", "/api/accounts/:account_id/audit/filter", "none"],
  ["GET", "/api/accounts/:account_id/audit/export", "always"],
  ["GET", "/uptime/api/export", "always"],
  ["POST", "/api/variables/", "always"],
  ["DELETE", "/api/flows/:id", "always"],
  ["POST", "/api/accounts/:account_id/api_keys", "always"],
  ["DELETE", "/api/me/sessions/:id", "always"],
  ["POST", "/api/flow_runs/:id/set_state", "work"],
  ["POST", "/api/logs/", "work"],
])("%s %s is of interest: %s", (method, route, interest) => {
  const right = rightFor(method, route);
  expect(interestIn({ method, route, right, mayShowSecrets: false })).toBe(interest);
});

test("reading is of interest where it can show secrets", () => {
  const facts = { method: "GET", route: "/api/block_documents/:id", right: "read" as const };
  expect(interestIn({ ...facts, mayShowSecrets: true })).toBe("secrets");
});

test("what machines say all day is told from what they do", () => {
  expect(isTelemetry("/api/work_pools/:name/workers/heartbeat")).toBe(true);
  expect(isTelemetry("/api/logs/")).toBe(true);
  expect(isTelemetry("/api/flow_runs/:id/set_state")).toBe(false);
});

test("an entry is about what its address names, or about what is made", () => {
  expect(resourceOf({ account_id: "a", id: "k" })).toEqual({
    resource: '{"account_id":"a","id":"k"}',
    resourceId: "k",
  });
  expect(resourceOf({ account_id: "a" }).resourceId).toBeNull();
  expect(resourceOf({ name: "x".repeat(300) }).resourceId).toHaveLength(255);
  expect(mayCreate("POST", "/api/variables/")).toBe(true);
  expect(mayCreate("POST", "/api/accounts/:account_id/api_keys")).toBe(true);
  expect(mayCreate("POST", "/api/deployments/:id/create_flow_run")).toBe(true);
  expect(mayCreate("POST", "/api/flow_runs/:id/set_state")).toBe(false);
  expect(mayCreate("PATCH", "/api/variables/")).toBe(false);
});

test("the id of what was made is read from answers as either engine writes them", () => {
  const id = "11111111-1111-4111-8111-111111111111";
  expect(idInAnswer(`{"id":"${id}","name":"x"}`)).toBe(id);
  expect(idInAnswer(Buffer.from(`{"id" : "${id}"}`))).toBe(id);
  expect(idInAnswer(`{"name":"x","id":"${id}"}`)).toBeNull();
  expect(idInAnswer(null)).toBeNull();
});
