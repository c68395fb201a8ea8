import { expect, test } from "vitest";
import { startScriptedServer } from "../testing/run-server.ts";
import { processRunner } from "./process-runner.ts";
import { startWorker } from "./worker.ts";

test.each([
  ["as many as it has room for", 4, 4],
  ["whole runs", 2.5, 2],
  ["no more than the server gives out at once", 300, 200],
])("a worker asks for %s", async (_, limit, asked) => {
  let tell: (limit: unknown) => void = () => {};
  const told = new Promise<unknown>((resolve) => {
    tell = resolve;
  });
  await using _server = await startScriptedServer({}, [
    [
      /^POST \/api\/work_pools\/local\/claim_flow_runs$/,
      ({ body }) => {
        tell((body as { readonly limit?: unknown }).limit);
        return undefined;
      },
    ],
  ]);
  const worker = await startWorker(processRunner, { pool: "local", limit });
  expect(await told).toBe(asked);
  await worker.stop();
});
