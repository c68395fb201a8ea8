// Events, automations, blocks and what else acts by itself, made through the API.

type Make = (path: string, body: unknown) => Promise<{ readonly id: string }>;

const EVENTS = 60;
const HOUR_MS = 3_600_000;

export interface FilledAutomations {
  readonly block: string;
  readonly automation: string;
  readonly webhook: string;
}

export async function fillAutomations(
  make: Make,
  { deployment, run }: { readonly deployment: string; readonly run: string },
): Promise<FilledAutomations> {
  const block = await makeBlock(make);
  const automation = await make("/automations/", {
    name: "Tell the shop when orders fail",
    description: "Three of them within ten minutes",
    tags: ["shop"],
    trigger: {
      type: "event",
      posture: "Reactive",
      expect: ["order.failed"],
      match: { shop: ["eu-*", "us-*"] },
      for_each: ["shop"],
      threshold: 3,
      within: 600,
    },
    actions: [
      { type: "send-notification", block_document_id: block, subject: "Orders fail", body: "Look" },
      { type: "run-deployment", source: "selected", deployment_id: deployment, parameters: {} },
    ],
  });
  await make("/automations/", {
    name: "Both within an hour",
    enabled: false,
    trigger: {
      type: "compound",
      require: "all",
      within: 3600,
      triggers: [
        { type: "event", posture: "Reactive", expect: ["order.failed"], threshold: 1, within: 0 },
        { type: "event", posture: "Proactive", expect: ["order.paid"], threshold: 1, within: 60 },
      ],
    },
    actions: [{ type: "do-nothing" }],
  });
  const now = Date.now();
  await make(
    "/events",
    Array.from({ length: EVENTS }, (_, i) => ({
      id: crypto.randomUUID(),
      occurred: new Date(now - ((EVENTS - i) * 6 * HOUR_MS) / EVENTS).toISOString(),
      event: i % 4 === 0 ? "order.failed" : "order.paid",
      resource: {
        "orchestrator.resource.id": `order.${i}`,
        "orchestrator.resource.name": `Order ${i}`,
        shop: i % 3 === 0 ? "us-east" : "eu-west",
      },
      related: [
        { "orchestrator.resource.id": "shop.1", "orchestrator.resource.role": "shop" },
        {
          "orchestrator.resource.id": `orchestrator.flow-run.${run}`,
          "orchestrator.resource.role": "flow-run",
        },
      ],
      payload: { number: i, lines: [{ article: "chair", price: 20.5 }] },
    })),
  );
  for (const [key, type, data] of [
    ["daily-report", "markdown", "# Sales\n\n- chairs: **12**"],
    ["daily-report", "markdown", "# Sales\n\n- chairs: **14**"],
    ["stock", "table", [{ article: "chair", left: 3 }]],
    ["import", "progress", 40],
  ] as const)
    await make("/artifacts/", { key, type, data, description: "Of the shop", flow_run_id: run });
  const webhook = await make("/webhooks/", {
    name: "payments",
    event: "payment.received",
    resource: { "orchestrator.resource.id": "payments" },
    secret: "only for the tests",
  });
  await make(`/deployments/${deployment}/slas`, { name: "quick", kind: "duration", seconds: 600 });
  return { block, automation: automation.id, webhook: webhook.id };
}

/** Where nobody listens: what is sent through it is tried again. */
async function makeBlock(make: Make): Promise<string> {
  const types = (await make("/block_types/filter", {
    block_types: { slug: { any_: ["slack-webhook"] } },
  })) as unknown as readonly { readonly id: string }[];
  const { id } = await make("/block_documents/", {
    name: "shop-chat",
    block_type_id: types[0]?.id,
    data: { url: "http://127.0.0.1:9/services/secret" },
  });
  return id;
}
