// What tests of messages share: blocks, automations that send, and all passes from an event to a
// message.

import { expect } from "vitest";
import { executeActions } from "../reacting/automations/actions.service.ts";
import { createTriggerPass } from "../reacting/automations/triggers/triggers.loop.ts";
import { deliverDue } from "../reacting/deliveries/deliveries.loop.ts";
import type { TestApi } from "./test-api.ts";

type Body = Readonly<Record<string, unknown>>;

const FOREVER = new AbortController().signal;

async function made<T = { id: string }>(api: TestApi, path: string, body: Body): Promise<T> {
  const answer = await api.post(path, body);
  expect(answer).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
  return answer.body as T;
}

/** A document of a type that comes with the server. */
export async function aBlock(api: TestApi, slug: string, data: Body): Promise<string> {
  await api.post("/block_types/install_system_block_types");
  const type = (await api.get(`/block_types/slug/${slug}`)).body as { id: string };
  const [schema] = await made<{ id: string }[]>(api, "/block_schemas/filter", {
    block_schemas: { block_type_id: { any_: [type.id] } },
  });
  const name = `b-${api.ctx.ids.uuid4()}`;
  const document = { name, data, block_type_id: type.id, block_schema_id: schema?.id };
  return (await made(api, "/block_documents/", document)).id;
}

/** An automation that does something for every event named `x.*`. */
export async function anAutomation(api: TestApi, ...actions: readonly Body[]): Promise<string> {
  const trigger = { type: "event", expect: ["x.*"], posture: "Reactive", threshold: 1, within: 0 };
  return (await made(api, "/automations/", { name: "tell", trigger, actions })).id;
}

/** An event, and the firing and the messages that follow from it; these are not sent yet. */
export async function happen(api: TestApi, payload: Body = {}): Promise<void> {
  const event = {
    id: api.ctx.ids.uuid7(),
    occurred: api.ctx.clock.now(),
    event: "x.happened",
    resource: { "prefect.resource.id": "thing.1", "prefect.resource.name": "ötter" },
    payload,
  };
  expect((await api.post("/events", JSON.stringify([event]))).status).toBe(204);
  await createTriggerPass(api.ctx)(FOREVER);
  await executeActions(api.ctx, FOREVER);
}

export const deliver = (api: TestApi): Promise<number> => deliverDue(api.ctx, FOREVER);

/**
 * As if so much time had passed on the database's clock that nobody can still have anything in
 * hand.
 */
export async function expireLeases({ ctx: { db } }: TestApi): Promise<void> {
  await db.exclusively(async (session) => {
    for (const table of ["deliveries", "automation_actions"])
      await session.execute(
        `update ${table} set held_until = '2000-01-01T00:00:00.000000Z' where held_until is not null`,
      );
  });
}

export interface ListedDelivery extends Body {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt: string | null;
}

export async function listTestDeliveries(
  api: TestApi,
  filter: Body = {},
): Promise<ListedDelivery[]> {
  const body = { deliveries: filter, sort: "CREATED_ASC" };
  const answer = await api.post("/automations/deliveries/filter", body);
  expect(answer.status).toBe(200);
  return answer.body as ListedDelivery[];
}
