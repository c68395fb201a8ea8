import { createLogger } from "@orchestrator/kernel/log";
import { kernelMigrations } from "@orchestrator/kernel/storage";
import { describeEachDatabase } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { accountsMigrations } from "../db/migrations/index.ts";
import type { AuditRow } from "../db/tables.ts";
import { listAuditEntries } from "./audit.store.ts";
import { AuditLog } from "./audit-log.ts";

const ACCOUNT = "11111111-1111-4111-8111-111111111111";

const refusal = (n: number, more: Partial<AuditRow>): AuditRow => ({
  id: `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`,
  occurred: "2026-11-15T12:00:00.000000Z",
  account_id: ACCOUNT,
  workspace_id: null,
  actor_kind: "unknown",
  actor_id: null,
  actor_name: "",
  api_key_id: null,
  api_key_prefix: null,
  operation: "logInToAccount",
  method: "POST",
  route: "/api/auth/login",
  permission: "read",
  resource_id: null,
  resource: "{}",
  result: "refused",
  status: 401,
  address: `2001:db8::${n.toString(16)}`,
  user_agent: "",
  request_id: "r",
  ...more,
});

describeEachDatabase("what was refused", (open) => {
  test("is noted so often and no more where nobody knows who it was, from however many addresses", async () => {
    await using opened = await open([kernelMigrations, accountsMigrations]);
    const { db } = opened;
    const log = new AuditLog({
      db,
      log: createLogger({ level: "silent", format: "json", name: "test" }),
    });
    for (let n = 0; n < 2000; n += 1) log.note(refusal(n, {}));
    // Strangers do not use up what is there for those who are known.
    const user = "22222222-2222-4222-8222-222222222222";
    log.note(refusal(5000, { actor_kind: "user", actor_id: user }));
    await log.flush();
    const entries = await listAuditEntries(db, { account_id: ACCOUNT }, 1000);
    const strangers = entries.filter(({ actor_kind }) => actor_kind === "unknown").length;
    expect(strangers).toBeGreaterThanOrEqual(300);
    expect(strangers).toBeLessThan(400);
    expect(entries.filter(({ actor_id }) => actor_id === user)).toHaveLength(1);
  });

  test("is noted but for what the database does not take", async () => {
    await using opened = await open([kernelMigrations, accountsMigrations]);
    const { db } = opened;
    const log = new AuditLog({
      db,
      log: createLogger({ level: "silent", format: "json", name: "test" }),
    });
    log.note(refusal(1, {}));
    log.note(refusal(2, { operation: null as never }));
    log.note(refusal(3, {}));
    await log.flush();
    log.note(refusal(4, {}));
    await log.flush();
    const entries = await listAuditEntries(db, { account_id: ACCOUNT }, 10);
    expect(entries.map(({ address }) => address)).toEqual([
      "2001:db8::4",
      "2001:db8::3",
      "2001:db8::1",
    ]);
  });
});
