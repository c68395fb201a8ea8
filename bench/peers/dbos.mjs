// Three durable steps in DBOS. Its packages are in the folder that PEERS names.
import { createRequire } from "node:module";
import { join } from "node:path";
import { takeOrders } from "./child.mjs";

const { DBOS } = createRequire(join(process.env.PEERS, "package.json"))("@dbos-inc/dbos-sdk");

let onBegun = () => {};
const three = DBOS.registerWorkflow(
  async () => {
    onBegun();
    for (const n of [1, 2, 3]) await DBOS.runStep(async () => n, { name: "step" });
  },
  { name: "three" },
);
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: process.env.DATABASE_URL,
  logLevel: "error",
  runAdminServer: false,
});
await DBOS.launch();
process.stdout.write("{}\n");
await takeOrders({
  async once() {
    let begun;
    onBegun = () => {
      begun ??= performance.now();
    };
    const handle = await DBOS.startWorkflow(three)();
    await handle.getResult();
    return begun;
  },
  stop: () => DBOS.shutdown(),
});
