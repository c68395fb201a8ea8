// The prober: a process of its own that asks how the server is, every 20 ms and whether or not
// earlier questions are answered.
import { get } from "node:http";
import { quantiles } from "./quantiles.mjs";

const EVERY_MS = 20;
const PATHS = { health: "/api/health", ready: "/api/ready" };
/** Whoever asks about health has given up long before. */
const PATIENCE_MS = 20_000;

let timer;
let found;

const commands = { start, stop };
process.on("message", ({ command, port }) => commands[command](port));
process.on("disconnect", () => process.exit());

function start(port) {
  found = { flying: new Set(), late: [], ...each(() => ({ took: [], failures: {} })) };
  const began = performance.now();
  let asked = 0;
  timer = setInterval(() => {
    const now = performance.now();
    // Several are due when this process was kept waiting itself.
    for (; began + asked * EVERY_MS <= now; asked += 1) {
      found.late.push(now - began - asked * EVERY_MS);
      for (const [name, path] of Object.entries(PATHS)) probe({ port, path }, found[name]);
    }
  }, EVERY_MS / 4);
}

/** On a connection of its own, as a load balancer asks. */
function probe({ port, path }, { took, failures }) {
  const began = performance.now();
  const flying = new Promise((resolve) => {
    const settle = (what) => {
      took.push(performance.now() - began);
      if (what !== "200") failures[what] = (failures[what] ?? 0) + 1;
      found.flying.delete(flying);
      resolve();
    };
    const asking = get({ port, host: "127.0.0.1", path, agent: false, timeout: PATIENCE_MS });
    asking.on("timeout", () => asking.destroy(new Error("no answer")));
    asking.on("error", (error) => settle(error.code ?? error.message));
    asking.on("response", (answer) =>
      answer.resume().on("end", () => settle(String(answer.statusCode))),
    );
  });
  found.flying.add(flying);
}

async function stop() {
  clearInterval(timer);
  await Promise.all(found.flying);
  const seen = each((name) => ({
    ...quantiles(found[name].took),
    failures: found[name].failures,
  }));
  process.send({ ...seen, proberLate: quantiles(found.late) });
}

function each(make) {
  return Object.fromEntries(Object.keys(PATHS).map((name) => [name, make(name)]));
}
