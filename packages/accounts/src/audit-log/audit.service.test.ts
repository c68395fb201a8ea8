import { kernelMigrations } from "@orchestrator/kernel/storage";
import { describeEachDatabase, manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { insertAuditRow, listAuditEntries } from "../audit/audit.store.ts";
import type { AccountsContext } from "../context.ts";
import { accountsMigrations } from "../db/migrations/index.ts";
import type { AuditRow } from "../db/tables.ts";
import { deleteExpiredEntries } from "./audit.service.ts";

const ACCOUNT = "11111111-1111-4111-8111-111111111111";

const entryAt = (occurred: string, n: number): AuditRow => {
  const time = Date.parse(occurred).toString(16).padStart(12, "0");
  const tail = n.toString(16).padStart(12, "0");
  return {
    id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`,
    occurred: occurred.replace("Z", "000Z"),
    account_id: ACCOUNT,
    workspace_id: null,
    actor_kind: "user",
    actor_id: null,
    actor_name: "ada",
    api_key_id: null,
    api_key_prefix: null,
    operation: "createVariable",
    method: "POST",
    route: "/api/variables/",
    permission: "write",
    resource_id: null,
    resource: "{}",
    result: "done",
    status: 201,
    address: "127.0.0.1",
    user_agent: "",
    request_id: "r",
  };
};

describeEachDatabase("the retention of the audit log", (open) => {
  test("deletes what is older than it is kept, and nothing else", async () => {
    await using opened = await open([kernelMigrations, accountsMigrations]);
    const { db } = opened;
    const old = Array.from({ length: 1201 }, (_, n) => entryAt("2025-11-14T00:00:00.000Z", n));
    const young = [entryAt("2025-11-16T00:00:00.000Z", 1), entryAt("2026-11-15T00:00:00.000Z", 2)];
    await db.writeSystem(async (tx) => {
      for (const row of [...old, ...young]) insertAuditRow(tx, row);
    });
    const ctx = {
      db,
      clock: manualClock("2026-11-15T12:00:00.000000Z"),
      auditSettings: { retention: 365 * 86_400_000, machineWork: false },
    } as unknown as AccountsContext;
    expect(await deleteExpiredEntries(ctx, new AbortController().signal)).toBe(1201);
    expect(await deleteExpiredEntries(ctx, new AbortController().signal)).toBe(0);
    const left = await listAuditEntries(db, { account_id: ACCOUNT }, 10);
    expect(left.map(({ occurred }) => occurred.slice(0, 10))).toEqual(["2026-11-15", "2025-11-16"]);
  });
});
