// A job of graphile-worker, which has no steps: how fast a queue on PostgreSQL can be. Its packages
// are in the folder that PEERS names.
import { createRequire } from "node:module";
import { join } from "node:path";
import { takeOrders } from "./child.mjs";

const installed = createRequire(join(process.env.PEERS, "package.json"));
const { makeWorkerUtils, run, Logger } = installed("graphile-worker");

const settings = {
  connectionString: process.env.DATABASE_URL,
  logger: new Logger(() => () => {}),
};
const begun = new Map();
const utils = await makeWorkerUtils(settings);
await utils.migrate();
const runner = await run({
  ...settings,
  concurrency: 10,
  noHandleSignals: true,
  taskList: { three: ({ n }) => begun.get(n)(performance.now()) },
});
process.stdout.write("{}\n");
let made = 0;
await takeOrders({
  async once() {
    const n = (made += 1);
    const begins = new Promise((resolve) => begun.set(n, resolve));
    await utils.addJob("three", { n });
    return begins;
  },
  async stop() {
    await runner.stop();
    await utils.release();
  },
});
