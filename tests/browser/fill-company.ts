// More of everything than a test needs: long names, busy and quiet deployments, tasks, workers,
// limits. For who looks.
import type { FilledRecords, Make } from "./fill.ts";
import { addTasks, type FilledTask } from "./fill-tasks.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RUNS = 12;
const TASKS = 36;
const FLOWS = [
  "invoice-reconciliation-across-every-subsidiary-and-currency",
  "ingest-orders",
  "train-forecast",
  "send-newsletter",
];

export async function fillCompany(make: Make, filled: FilledRecords): Promise<void> {
  const { runs, deployment } = filled;
  await make("/work_pools/local/workers/heartbeat", { name: "worker-1" });
  await make("/work_pools/", { name: "kubernetes-eu-west", type: "kubernetes" });
  for (const [i, name] of FLOWS.entries()) await addFlow(make, { name, hours: 1 + i * 5 });
  const [first, , , fourth] = runs;
  if (first !== undefined) await addTasks(make, first.id, tasksOf(1));
  if (fourth !== undefined) await addTasks(make, fourth.id, tasksOf(0.8).slice(2));
  for (const [name, value] of [
    ["region", "eu-west-1"],
    ["feature_flags", { new_checkout: true, share: 0.25 }],
    ["a_rather_long_name_of_a_variable_that_has_to_be_cut", "short"],
  ] as const)
    await make("/variables/", { name, value, tags: ["prod"] });
  for (const [name, limit] of [
    ["warehouse", 4],
    ["payment-gateway", 1],
  ] as const)
    await make("/v2/concurrency_limits/", { name, limit });
  await make("/v2/concurrency_limits/increment", { names: ["payment-gateway"], slots: 1 });
  await addFiring(make, filled);
  // Nobody fetches it: it becomes late.
  await make(`/deployments/${deployment.id}/create_flow_run`, {
    name: "waits-for-a-worker",
    state: {
      type: "SCHEDULED",
      state_details: { scheduled_time: new Date(Date.now() - HOUR_MS).toISOString() },
    },
  });
}

async function addFlow(
  make: Make,
  { name, hours }: { readonly name: string; readonly hours: number },
): Promise<void> {
  const flow = await make("/flows/", { name, tags: ["finance", "eu"] });
  const deployment = await make("/deployments/", {
    name: "production",
    flow_id: flow.id,
    work_pool_name: "kubernetes-eu-west",
    description: "Runs by itself; ask the people of finance before you change it.",
    tags: ["prod"],
    schedules: [{ schedule: { interval: hours * 3600 }, active: hours < 10 }],
  });
  for (let i = 0; i < RUNS; i += 1) {
    const run = await make(`/deployments/${deployment.id}/create_flow_run`, {
      name: `${name}-${i}`,
    });
    for (const type of ["RUNNING", i % 7 === 3 ? "FAILED" : "COMPLETED"])
      await make(`/flow_runs/${run.id}/set_state`, { state: { type }, force: true });
  }
}

/** `pace` is how much longer than others each of them took. */
const tasksOf = (pace: number): FilledTask[] =>
  Array.from({ length: TASKS }, (_, i) => {
    const start = Date.now() - 10 * MINUTE_MS + i * 9000;
    return {
      name: i % 9 === 4 ? `validate every row of partition number ${i}` : `load-${i}`,
      type: i % 11 === 5 ? "FAILED" : "COMPLETED",
      start,
      end: start + pace * (((i * 31) % 17) * 4000 + 2000),
    };
  });

/** An automation that fires, with one action that is done and a message that nobody takes. */
async function addFiring(make: Make, { automations: { block } }: FilledRecords): Promise<void> {
  await make("/automations/", {
    name: "Tell the shop about every refund",
    tags: ["shop"],
    trigger: {
      type: "event",
      posture: "Reactive",
      expect: ["order.refunded"],
      for_each: ["shop"],
      threshold: 1,
      within: 0,
    },
    actions: [
      {
        type: "send-notification",
        block_document_id: block,
        subject: "A refund of {{ event.payload.sum }}",
        body: "{{ event.resource.name }}",
      },
      { type: "do-nothing" },
    ],
  });
  for (const sum of [20.5, 199])
    await make("/events", [
      {
        id: crypto.randomUUID(),
        occurred: new Date().toISOString(),
        event: "order.refunded",
        resource: {
          "orchestrator.resource.id": `order.${sum}`,
          "orchestrator.resource.name": `Order of ${sum}`,
          shop: "eu-west",
        },
        payload: { sum },
      },
    ]);
}
