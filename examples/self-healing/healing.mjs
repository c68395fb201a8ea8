import { spawn } from "node:child_process";
import { createClient, createUptimeClient } from "@orchestrator/client/node";
import { flow, getLogger, getRunContext, task } from "@orchestrator/sdk";

const PORT = process.env.SHOP_PORT ?? "8090";
const PID_FILE = process.env.SHOP_PID_FILE ?? "shop.pid";
const INTERVAL = Number(process.env.SHOP_INTERVAL ?? 10);
const URL_OF_SHOP = `http://127.0.0.1:${PORT}/`;

const start = task({ name: "start" }, async () => {
  // A process of its own, which goes on when this one ends.
  const child = spawn(process.execPath, [`${import.meta.dirname}/shop.mjs`, PORT, PID_FILE], {
    detached: true,
    stdio: "ignore",
  });
  child.unref();
  getLogger().info("The shop is started as process %d", child.pid);
});

const answers = task({ name: "answers", retries: 20, retryDelaySeconds: 0.5 }, async () => {
  const answer = await fetch(URL_OF_SHOP, { signal: getRunContext().signal });
  if (!answer.ok) throw new Error(`The shop answered ${answer.status}`);
});

export const heal = flow({ name: "heal" }, async () => {
  await start();
  await answers();
});

async function findOrAddMonitor() {
  const uptime = createUptimeClient();
  const wanted = {
    name: "Shop",
    url: URL_OF_SHOP,
    interval: INTERVAL,
    pipeline: [{ type: "http", retries: 0 }],
  };
  const known = await uptime.monitors.list({ q: URL_OF_SHOP });
  return known[0] ?? uptime.monitors.create(wanted);
}

/** Replaces those of the same name. */
async function automate(name, { expect, match, match_related = {}, action }) {
  const { automations } = createClient();
  for (const { id } of await automations.list({ automations: { name: { any_: [name] } } })) {
    await automations.delete(id);
  }
  await automations.create({
    name,
    trigger: {
      type: "event",
      posture: "Reactive",
      expect: [expect],
      match,
      match_related,
      threshold: 1,
      within: 0,
    },
    actions: [action],
  });
}

if (process.argv[1] === import.meta.filename) {
  await heal();
  const { deploymentId, finished } = await heal.serve({ name: "shop" });
  const monitor = await findOrAddMonitor();
  await automate("heal the shop", {
    expect: "orchestrator.monitor.Down",
    match: { "orchestrator.resource.id": `orchestrator.monitor.${monitor.id}` },
    action: { type: "run-deployment", deployment_id: deploymentId },
  });
  await automate("look whether the shop is healed", {
    expect: "orchestrator.flow-run.Completed",
    match: { "orchestrator.resource.id": "orchestrator.flow-run.*" },
    match_related: { "orchestrator.resource.id": `orchestrator.deployment.${deploymentId}` },
    action: { type: "run-check", monitor_id: monitor.id },
  });
  console.log(`The shop is at ${URL_OF_SHOP} and watched over`);
  await finished;
}
