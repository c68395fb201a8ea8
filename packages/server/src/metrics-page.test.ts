import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startTestServer } from "./testing/running-server.ts";

test("the reference page of metrics names every metric of a server", async () => {
  const file = new URL("../../../docs/reference/metrics.md", import.meta.url);
  const page = readFileSync(file, "utf8");
  await using server = await startTestServer({});
  const names = [...(await server.text("/metrics")).matchAll(/^# HELP (\S+)/gm)];
  expect(names.length).toBeGreaterThan(20);
  expect(names.map(([, name]) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
