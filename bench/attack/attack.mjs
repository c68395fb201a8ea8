// Under attack: how long health and readiness take to answer while one caller asks for too much.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startDatabase } from "../postgres.mjs";
import { endWithUs, startOurs } from "../servers.mjs";
import { placeAt, settingsFor } from "./place.mjs";
import { countStored } from "./stored.mjs";

const CLIENT = fileURLToPath(new URL("client.mjs", import.meta.url));
const PROBER = fileURLToPath(new URL("prober.mjs", import.meta.url));
/** The server has compiled its answer to a health check long before it is attacked. */
const HEALTH_CHECKS_BEFORE = 300;
const SETTLE_MS = 500;
const USUAL = { inFlight: 2, seconds: 1 };
/** What a server may answer to anybody who asks for too much. */
const REFUSALS = ["429", "503", "507"];

export async function measureAttacks({ attacks, databases, checkout, seconds, onProgress }) {
  const engines = [];
  for (const engine of databases) {
    // One PostgreSQL for all, with a database for each.
    const shared = engine === "PostgreSQL" ? await startDatabase() : undefined;
    const rows = [];
    try {
      for (const attack of attacks) {
        onProgress(`${engine}: ${attack.title}`);
        rows.push(await underAttack(attack, { checkout, seconds, shared }));
      }
    } finally {
      await shared?.stop();
    }
    engines.push({ engine, rows });
  }
  return { engines };
}

async function underAttack(attack, { checkout, seconds, shared }) {
  const database = shared === undefined ? undefined : await startDatabase(shared.url);
  const settings = settingsFor(attack);
  const server = await startOurs({
    name: attack.name,
    checkout,
    databaseUrl: database?.url,
    settings,
  });
  const [client, prober] = [CLIENT, PROBER].map((program) => endWithUs(fork(program)));
  try {
    const { port, ownerKey } = server;
    const { overload, ...work } = await attack.prepare(
      placeAt({ url: `http://127.0.0.1:${port}`, ownerKey }),
    );
    for (let n = 0; n < HEALTH_CHECKS_BEFORE; n += 1)
      await (await server.get("/api/health")).text();
    if (overload !== undefined) {
      const usual = await tell(client, { port, ...work, ...USUAL });
      work.perSecond = ((usual.statuses[200] ?? 1) / usual.seconds) * overload;
    }
    await sleep(SETTLE_MS);
    prober.send({ command: "start", port });
    const sent = await tell(client, { port, ...work, seconds });
    const probed = await tell(prober, { command: "stop" });
    const peakMegabytes = peakMemory(server.pid);
    const stored = await countStored({ server, database });
    const { name, title, answers } = attack;
    return { name, title, ...probed, sent, peakMegabytes, stored, wrong: wrongIn(sent, answers) };
  } finally {
    client.disconnect();
    prober.disconnect();
    await killNow(server);
    await database?.stop();
  }
}

async function tell(child, message) {
  child.send(message);
  const [answer] = await once(child, "message");
  return answer;
}

/** Answers that are neither expected nor a refusal, by status. */
function wrongIn({ statuses }, answers) {
  const right = [...answers, ...REFUSALS];
  return Object.fromEntries(Object.entries(statuses).filter(([status]) => !right.includes(status)));
}

/** Resident memory at its highest since the start; other systems than Linux do not tell. */
function peakMemory(pid) {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** It may have more work left than anybody wants to wait for. */
async function killNow(server) {
  try {
    process.kill(server.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
  await server.stop();
}
