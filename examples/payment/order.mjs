import { EventTimeoutError, flow, getLogger, sleep, task, waitForEvent } from "@orchestrator/sdk";
import { z } from "zod";

const reserve = task({ name: "reserve" }, async (/** @type {string} */ order) => {
  getLogger().info("Reserved the goods of %s", order);
});

const ship = task({ name: "ship", retries: 3, retryDelaySeconds: 10 }, async (order) => {
  getLogger().info("Shipped %s", order);
});

export const sell = flow(
  {
    name: "sell",
    parameters: z.object({
      order: z.string().min(1).default("order.7"),
      patienceSeconds: z.number().default(3600),
    }),
  },
  async ({ order, patienceSeconds }) => {
    await reserve(order);
    try {
      const { payload } = await waitForEvent({
        event: "order.paid",
        match: { "orchestrator.resource.id": order },
        timeoutSeconds: patienceSeconds,
      });
      getLogger().info("Paid: %o", payload);
    } catch (error) {
      if (error instanceof EventTimeoutError) return "not paid";
      throw error;
    }
    await sleep(1);
    await ship(order);
    return "shipped";
  },
);

if (process.argv[1] === import.meta.filename) {
  const { PATIENCE_SECONDS } = process.env;
  console.log(await sell({ patienceSeconds: Number(PATIENCE_SECONDS ?? 3600) }));
}
