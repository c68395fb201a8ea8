// What the server holds before an attack, and bodies of requests. `{n}` in a body becomes a number
// that is used once.

const LINES_PER_REQUEST = 500;

/**
 * Automations without `expect` react to every event. They are still switched off; answers their
 * ids.
 */
export async function automationsOnAnyEvent({ ask }, count) {
  const trigger = { type: "event", posture: "Reactive", threshold: 1, within: 0 };
  const actions = [{ type: "do-nothing" }];
  const ids = [];
  for (let n = 0; n < count; n += 1) {
    const automation = { name: `any ${n}`, enabled: false, trigger, actions };
    ids.push((await ask("/automations/", automation)).id);
  }
  return ids;
}

export async function scheduledDeployment({ ask }) {
  const { id: flow_id } = await ask("/flows/", { name: "attacked" });
  const { id } = await ask("/deployments/", { name: "attacked", flow_id });
  return id;
}

/** A webhook whose template takes long; the request to it carries no key. */
export async function webhookWith({ ask }, { name, template }) {
  const event = '{"event": "attack", "resource": {"orchestrator.resource.id": "attack"}}';
  const made = await ask("/webhooks/", {
    name,
    template: `${template}${event}`,
    rate_limit: 60_000,
  });
  return { method: "POST", path: made.path, headers: JSON_HEADERS, body: "{}" };
}

export async function longLog({ ask }, lines) {
  for (let from = 0; from < lines; from += LINES_PER_REQUEST) {
    const line = (_, n) => ({
      name: "attack",
      level: 20,
      message: `Line ${from + n}: `.padEnd(200, "something happened and was worth a line "),
      timestamp: new Date().toISOString(),
    });
    await ask("/logs/", Array.from({ length: LINES_PER_REQUEST }, line));
  }
}

export const JSON_HEADERS = { "content-type": "application/json" };

/** The time is now, because older events would be deleted at once. */
export function eventBatch(count, payloadBytes) {
  return Array.from({ length: count }, () => ({
    id: "00000000-0000-4000-8000-{n}",
    occurred: new Date().toISOString(),
    event: "attack",
    resource: { "orchestrator.resource.id": "attack" },
    payload: { text: "x".repeat(payloadBytes) },
  }));
}

export const artifact = (bytes) => ({ type: "text", data: "x".repeat(bytes) });
