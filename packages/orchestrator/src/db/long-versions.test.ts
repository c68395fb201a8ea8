import { randomBytes } from "node:crypto";
import { kernelMigrations, migrate } from "@orchestrator/kernel/storage";
import { openTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { runKey } from "../texts/run-texts.ts";
import { orchestratorMigrations } from "./migrations/index.ts";

const WORKSPACE = "00000000-0000-4000-8000-000000000001";
const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

test("versions that no index takes are cut when there is one, as new ones are, and stay to be found by it", async () => {
  const { component, migrations } = orchestratorMigrations;
  const at = migrations.findIndex(({ name }) => name === "runs-by-version");
  const before = { component, migrations: migrations.slice(0, at) };
  await using database = await openTestPostgres([kernelMigrations, before]);
  const { db } = database;
  const long = `größer ${randomBytes(6000).toString("base64")}`;
  // Of some characters only one half is within the beginning that is kept.
  const halved = `v${"🐘".repeat(700)}`;
  const versions = ["v1", long, "w".repeat(2500), null, halved, halved.slice(1)];
  await db.exclusively(async (session) => {
    await session.execute(
      `insert into flows (id, workspace_id, created, updated, name, tags, labels) values ('${id(9)}', '${WORKSPACE}', '', '', 'flow', '[]', '{}')`,
    );
    for (const [n, version] of versions.entries())
      await session.execute(
        `insert into flow_runs (id, workspace_id, created, updated, name, flow_id, run_count, total_run_time, auto_scheduled, parameters,
           context, empirical_policy, tags, labels, flow_version)
         values ('${id(n)}', '${WORKSPACE}', '', '', 'run', '${id(9)}', 0, 0, false, '{}', '{}', '{}', '[]', '{}', ${version === null ? "null" : `'${version}'`})`,
      );
  });
  await migrate(db, [kernelMigrations, orchestratorMigrations]);
  const kept = await db.exclusively((session) =>
    session.rows<{ flow_version: string }>("select flow_version from flow_runs order by id"),
  );
  expect(kept.map(({ flow_version }) => flow_version)).toEqual([
    "v1",
    runKey(long),
    "w".repeat(2500),
    null,
    runKey(halved),
    runKey(halved.slice(1)),
  ]);
});
