import {
  type ComputedField,
  column,
  defineTable,
  type Fields,
  type RowOf,
} from "@orchestrator/kernel/storage";
import { ACTIVE, OCCUPYING } from "./work-pools.table.ts";

const { flag, id, integer, text, time } = column;

const WORK_POOL_NAME: ComputedField = {
  kind: "text",
  expression: ({ text }) =>
    text("select work_pools.name from work_pools where work_pools.id = $.work_pool_id"),
};

/** Queues once chose their runs by a filter; the member stays for clients that look for it. */
const NO_FILTER: ComputedField = { kind: "json", expression: ({ text }) => text("null") };

const slots = (condition: string): ComputedField => ({
  kind: "integer",
  expression: ({ text }) =>
    text(
      `case when $.concurrency_limit is null then null else (select count(*) from flow_runs where flow_runs.work_queue_id = $.id and ${condition}) end`,
    ),
});

export const WORK_QUEUES = defineTable("work_queues", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text().changeable(),
  description: text().changeable(),
  is_paused: flag().changeable(),
  concurrency_limit: integer().orNull().changeable(),
  priority: integer().changeable(),
  work_pool_id: id(),
  filter: NO_FILTER,
  last_polled: time().orNull().changeable(),
  work_pool_name: WORK_POOL_NAME,
  status: text().changeable(),
  status_event_id: id().orNull().internal().changeable(),
  status_changed: time().orNull().internal().changeable(),
  active_slots: slots(ACTIVE),
});
export type WorkQueueRow = RowOf<typeof WORK_QUEUES>;

/** By its own address a queue counts the runs that are being cancelled as well. */
export const STANDALONE_QUEUE_FIELDS = {
  ...WORK_QUEUES.fields,
  active_slots: slots(OCCUPYING),
} as const satisfies Fields;

/** A queue has two addresses: its id, or its name in a pool. */
export type QueueAddress =
  | { readonly id: string }
  | { readonly work_pool_name: string; readonly name: string };
