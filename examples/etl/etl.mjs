import { readFile, writeFile } from "node:fs/promises";
import {
  createTable,
  exponentialBackoff,
  flow,
  getLogger,
  getRunContext,
  task,
} from "@orchestrator/sdk";
import { z } from "zod";

const Order = z.object({ city: z.string(), cents: z.number().int().nonnegative() });

const extract = task(
  {
    name: "extract",
    runName: "extract {0}",
    retries: 4,
    retryDelaySeconds: exponentialBackoff(0.5),
    retryJitter: 0.5,
    timeoutSeconds: 30,
  },
  /** @param {string} day @param {string} source */
  async (day, source) => {
    const name = `${day}.json`;
    if (!source.startsWith("http")) return JSON.parse(await readFile(`${source}/${name}`, "utf8"));
    const answer = await fetch(`${source}/${name}`, { signal: getRunContext().signal });
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
    return answer.json();
  },
);

/** The cents of each city. */
const transform = task({ name: "transform" }, async (/** @type {unknown} */ raw) => {
  const cents = new Map();
  for (const order of z.array(Order).parse(raw))
    cents.set(order.city, (cents.get(order.city) ?? 0) + order.cents);
  return cents;
});

const load = task({ name: "load" }, async (days, target) => {
  const totals = {};
  for (const day of days) {
    for (const [city, cents] of day) totals[city] = (totals[city] ?? 0) + cents;
  }
  await writeFile(target, `${JSON.stringify(totals, null, 2)}\n`);
  return totals;
});

export const etl = flow(
  {
    name: "etl",
    runName: ({ days }) => `etl of ${days.length} days`,
    taskConcurrency: 4,
    parameters: z.object({
      days: z.array(z.iso.date()).min(1),
      source: z.string().default(`${import.meta.dirname}/orders`),
      target: z.string().default("totals.json"),
    }),
  },
  async ({ days, source, target }) => {
    // Each day is transformed as soon as it is there.
    const extracted = extract.map(days, source);
    const transformed = transform.map(extracted);
    const totals = await load(await transformed.results(), target);
    const rows = Object.entries(totals).map(([city, cents]) => ({ city, sold: cents / 100 }));
    await createTable(rows, { key: "sales-by-city", description: `Orders of ${days.join(", ")}` });
    getLogger().info("%d cities in %s", rows.length, target);
    return totals;
  },
);

if (process.argv[1] === import.meta.filename) {
  const { SOURCE, TARGET } = process.env;
  console.log(
    await etl({
      days: ["2026-11-12", "2026-11-13", "2026-11-14"],
      ...(SOURCE && { source: SOURCE }),
      ...(TARGET && { target: TARGET }),
    }),
  );
}
