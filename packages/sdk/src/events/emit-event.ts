// Events of the author's own, from a flow, a task or any other program.

import type { ExecutorEvent } from "@orchestrator/contract";
import { RunStoppedError } from "../errors.ts";
import { idFor, newId } from "../ids.ts";
import { isLapsedClaim } from "../report/connection.ts";
import { openReportSession } from "../report/session.ts";
import { placeOfCall } from "../results/values.ts";
import { findScope, nextCall, type RunScope } from "../scope/context.ts";
import { nextMicros, timestampOf } from "../time.ts";

type EventLabels = Readonly<Record<string, string>>;

export interface EventOptions {
  /** What happened, such as `shop.order.paid`. */
  readonly event: string;
  /** What it happened to: an id, or labels with `orchestrator.resource.id` among them. */
  readonly resource: string | EventLabels;
  /** What else it concerns: labels with an id and `orchestrator.resource.role`. */
  readonly related?: readonly EventLabels[] | undefined;
  /** JSON. */
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** @default the present */
  readonly occurred?: Date | undefined;
  /** The server stores one event of an id. @default within a run made from the place of the call */
  readonly id?: string | undefined;
  /** The id of an event that came before. */
  readonly follows?: string | undefined;
}

/**
 * Publishes an event, and returns its id. Within a run, the event names the run as related. While
 * the server is away, it waits in the outbox of the run.
 *
 * @example await emitEvent({ event: "shop.order.paid", resource: "shop.order.17" });
 */
export async function emitEvent(options: EventOptions): Promise<string> {
  const scope = findScope();
  const event = eventOf(options, scope);
  if (scope?.flow == null) await openReportSession()?.client.events.create([event]);
  else await deliver(event, scope.flow);
  return event.id;
}

function eventOf(options: EventOptions, scope: RunScope | null): ExecutorEvent {
  const { event, resource, related = [], payload = {}, occurred, follows = null } = options;
  const micros = occurred === undefined ? nextMicros() : occurred.getTime() * 1000;
  return {
    id: options.id ?? idOfPlace(options, scope),
    occurred: timestampOf(micros),
    event,
    resource: typeof resource === "string" ? { "orchestrator.resource.id": resource } : resource,
    related: [...related, ...relatedOfRun(scope)],
    payload: JSON.parse(JSON.stringify(payload)) as Record<string, never>,
    follows,
  };
}

/** The same event at the same place keeps its id when the run executes again: it is stored once. */
function idOfPlace(options: EventOptions, scope: RunScope | null): string {
  if (scope?.flowRun == null) return newId();
  const { event, resource, related, payload } = options;
  const number = nextCall(scope, ` event ${event}`);
  const { fingerprint } = placeOfCall(event, [resource, related, payload]);
  return idFor(`${scope.flowRun.id}/${scope.callPath}event ${event}-${number}/${fingerprint}`);
}

function relatedOfRun(scope: RunScope | null): readonly EventLabels[] {
  if (scope?.flow == null) return [];
  const { flow, taskRun } = scope;
  if (taskRun === null) return flow.related;
  const task = {
    "orchestrator.resource.id": `orchestrator.task-run.${taskRun.id}`,
    "orchestrator.resource.role": "task-run",
    "orchestrator.resource.name": taskRun.name,
  };
  return [task, ...flow.related];
}

/** An execution whose run was offered to others emits no more. */
async function deliver(
  event: ExecutorEvent,
  { session, claim }: NonNullable<RunScope["flow"]>,
): Promise<void> {
  if (session === null) return;
  const delivery = await session.events.deliver(claim === null ? event : { ...event, claim });
  if (delivery.kind !== "refused") return;
  if (isLapsedClaim(delivery.error)) throw new RunStoppedError("The run was offered to others");
  throw delivery.error;
}
