import { expect, test } from "vitest";
import { settingsInForce, settingsPage, unknownSettingWarnings } from "./settings-report.ts";

test("the reference page of the settings is current", async () => {
  await expect(settingsPage()).toMatchFileSnapshot("../../../docs/reference/settings.md");
});

test("a setting is shown with its value and where it comes from, secrets hidden", () => {
  const env = {
    ORCHESTRATOR_SERVER_PORT: "4300",
    ORCHESTRATOR_DATABASE_URL: "postgres://user:hunter2@db/orchestrator",
    ORCHESTRATOR_SECRET_KEY: Buffer.alloc(32, 7).toString("hex"),
  };
  const rows = new Map(settingsInForce(env).map((row) => [row.name, row]));
  expect(rows.get("ORCHESTRATOR_SERVER_PORT")).toMatchObject({
    value: "4300",
    source: "environment",
  });
  expect(rows.get("ORCHESTRATOR_SERVER_HOST")).toMatchObject({
    value: "127.0.0.1",
    source: "default",
  });
  expect(rows.get("ORCHESTRATOR_DATABASE_URL")?.value).toBe("postgres://user:***@db/orchestrator");
  expect(JSON.stringify([...rows.values()])).not.toMatch(/hunter2|0707/);
});

test("a misspelt setting is named with what was probably meant", () => {
  expect(
    unknownSettingWarnings({ ORCHESTRATOR_SERVER_PROT: "1", ORCHESTRATOR_API_URL: "x" }),
  ).toEqual([expect.stringContaining("did you mean ORCHESTRATOR_SERVER_PORT?")]);
});
