// A flow of three tasks, served by this process. It prints the id of its deployment.
import { flow, task } from "../../packages/sdk/dist/bundle/index.js";

const step = task({ name: "step" }, async (n) => n);
const three = flow({ name: "three" }, async () => {
  for (const n of [1, 2, 3]) await step(n);
});
const { deploymentId, finished } = await three.serve({ name: "served", limit: 10 });
process.stdout.write(`${deploymentId}\n`);
await finished;
