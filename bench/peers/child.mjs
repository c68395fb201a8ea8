// What the processes of peers have in common: they take orders from stdin and answer each with a
// line of JSON.
import { createInterface } from "node:readline";

/** `once` executes one workflow or job; it resolves with when it began. */
export async function takeOrders({ once, stop }) {
  const execute = {
    backlog: ({ count, atOnce }) => backlog(once, count, atOnce),
    paced: ({ count, perSecond }) => paced(once, count, perSecond),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { order, ...wish } = JSON.parse(line);
    const before = process.cpuUsage();
    const result = await execute[order](wish);
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1000 / wish.count;
    process.stdout.write(`${JSON.stringify({ ...result, cpu })}\n`);
  }
  await stop();
  process.exit(0);
}

async function backlog(once, count, atOnce) {
  let left = count;
  const start = performance.now();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await once();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { rate: (count * 1000) / (performance.now() - start) };
}

async function paced(once, count, perSecond) {
  const start = performance.now();
  const waits = [];
  for (let n = 0; n < count; n += 1) {
    const at = start + (n * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
    const created = performance.now();
    waits.push(once().then((begun) => begun - created));
  }
  const sorted = (await Promise.all(waits)).toSorted((one, other) => one - other);
  const place = (share) => sorted[Math.min(count - 1, Math.floor(count * share))];
  return { toRunning: { p50: place(0.5), p99: place(0.99) } };
}
