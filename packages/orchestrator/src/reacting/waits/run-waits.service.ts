// What the flows of runs wait for: registered by the executor, read by it again until it has ended.

import type { FlowRunWait, FlowRunWaitCreate } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { readHead, readUnreadSince } from "@orchestrator/kernel/events";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError, parseMicros, plusSeconds } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { notFound } from "../../runs/flow-runs/flow-runs.service.ts";
import { fenceExecutors } from "../../telemetry/journal/journal.service.ts";
import { hasRun } from "../../telemetry/journal/journal.store.ts";
import { TRIGGERS } from "../automations/triggers/triggers.rules.ts";
import {
  beginWait,
  countOpenWaitsForEvents,
  countOpenWaitsOfRun,
  expireWait,
  findWait,
  listWaitsOfRun,
  markWaitRead,
  type StoredWait,
} from "./run-waits.store.ts";
import { lookupOf, patternOf, type WaitLookup, type WaitPattern } from "./wait-pattern.rules.ts";

const MAX_OPEN_OF_RUN = 1000;
const MAX_OPEN_OF_WORKSPACE = 10_000;
/** All of them are compared with each event that has their name and label. */
const MAX_ALIKE = 1000;
const MAX_PATTERN = 4096;
const MAX_LISTED = 200;
const MICROS_PER_SECOND = 1_000_000;
/** A reader of the log that is this far behind does not hold up the end of waits. */
const LONGEST_LAG_SECONDS = 60;

interface WaitRequest {
  readonly id: string;
  readonly body: FlowRunWaitCreate;
}

/** Registers a wait, and tells what has become of it. Asked again, it is the same wait. */
export async function waitInFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { id: flow_run_id, body }: WaitRequest,
): Promise<JsonText<FlowRunWait>> {
  const pattern = writeJson(patternOf(body));
  if (pattern.length > MAX_PATTERN) throw tooLarge();
  const { key } = body;
  const known = await findWait(ctx.db.in(scope.workspaceId), { flow_run_id, key });
  const now = ctx.clock.now();
  if (known !== null && isSame(known, body, pattern) && !isToChange(known, now))
    return waitJson(known, now);
  // Read before the wait is stored: every event that is sent once it is stored comes behind.
  const after_position = await readHead(ctx.db);
  const unread = await readUnreadSince(ctx.db, TRIGGERS);
  const stored = await ctx.db.write(scope.workspaceId, async (tx) => {
    await fenceExecutors(tx, body.claim == null ? [] : [body.claim]);
    const found = await findWait(tx, { flow_run_id, key });
    if (found === null || !isSame(found, body, pattern))
      return begin(ctx, tx, { flow_run_id, body, pattern, after_position });
    if (found.outcome !== null) {
      if (found.unread_since !== null) await markWaitRead(tx, { flow_run_id, key });
      return found;
    }
    if (!isOver(found, now, unread)) return found;
    await expireWait(tx, { flow_run_id, key, now });
    return findWait(tx, { flow_run_id, key });
  });
  return waitJson(stored ?? missing(), now);
}

/** A wait that has timed out is over for its attempt only; an event that has come stays. */
function isSame(
  { event, pattern, outcome, attempt }: StoredWait,
  body: FlowRunWaitCreate,
  sent: string,
): boolean {
  const isAnotherAttempt = event !== null && outcome === "timeout" && attempt < (body.attempt ?? 0);
  return event === (body.event ?? null) && pattern === sent && !isAnotherAttempt;
}

const isToChange = ({ outcome, unread_since, expires }: StoredWait, now: string): boolean =>
  outcome === null ? expires <= now : unread_since !== null;

/** Events that were received in time may still have to be read. */
function isOver({ event, expires }: StoredWait, now: string, unread: string | null): boolean {
  if (expires > now) return false;
  const isRead = event === null || unread === null || unread > expires;
  return isRead || plusSeconds(expires, LONGEST_LAG_SECONDS) <= now;
}

async function begin(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    flow_run_id,
    body,
    pattern,
    after_position,
  }: {
    readonly flow_run_id: string;
    readonly body: FlowRunWaitCreate;
    readonly pattern: string;
    readonly after_position: number;
  },
): Promise<StoredWait> {
  if (!(await hasRun(tx, flow_run_id))) throw notFound(flow_run_id);
  const { key, event = null, attempt = 0, timeout_seconds } = body;
  const ofRun = await countOpenWaitsOfRun(tx, { flow_run_id, limit: MAX_OPEN_OF_RUN });
  if (ofRun >= MAX_OPEN_OF_RUN)
    throw new AppError("invalid", `The run has ${MAX_OPEN_OF_RUN} open waits already`);
  const lookup = event === null ? null : lookupOf(event, patternOf(body));
  if (event !== null && lookup !== null) await checkRoom(tx, event, lookup);
  const created = ctx.clock.now();
  const row = {
    flow_run_id,
    key,
    created,
    expires: plusSeconds(created, timeout_seconds),
    attempt,
    event,
    pattern,
    after_position,
    ...(lookup ?? { lookup_name: null, anchor: "" }),
    outcome: null,
    ended: null,
    event_id: null,
    unread_since: null,
  };
  await beginWait(tx, row);
  return { ...row, received: null };
}

async function checkRoom(tx: Transaction, event: string, lookup: WaitLookup): Promise<void> {
  const open = await countOpenWaitsForEvents(tx, { ...lookup, limit: MAX_OPEN_OF_WORKSPACE });
  if (open.ofWorkspace >= MAX_OPEN_OF_WORKSPACE)
    throw new AppError(
      "invalid",
      `${MAX_OPEN_OF_WORKSPACE} runs and calls wait for events already`,
    );
  if (open.alike >= MAX_ALIKE)
    throw new AppError(
      "invalid",
      `${MAX_ALIKE} calls wait for the event ${event} with the same label already; match an exact value of another label, such as the resource id`,
    );
}

/** What a run waits for now, the oldest first. */
export async function listFlowRunWaits(
  ctx: OrchestratorContext,
  scope: Scope,
  flow_run_id: string,
): Promise<JsonText<FlowRunWait[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  if (!(await hasRun(queries, flow_run_id))) throw notFound(flow_run_id);
  const now = ctx.clock.now();
  const waits = await listWaitsOfRun(queries, { flow_run_id, limit: MAX_LISTED });
  return `[${waits.map((wait) => waitJson(wait, now)).join(",")}]`;
}

/** The event stays the text that was stored, with all digits of its numbers. */
function waitJson(wait: StoredWait, now: string): JsonText<FlowRunWait> {
  const { key, event, created, expires, outcome, ended, received } = wait;
  const remaining = Math.max(0, parseMicros(expires) - parseMicros(now)) / MICROS_PER_SECOND;
  const shown = writeJson({
    key,
    event,
    ...(readJson(wait.pattern) as unknown as WaitPattern),
    created,
    expires,
    remaining_seconds: outcome === null ? remaining : 0,
    outcome,
    ended,
  });
  return `${shown.slice(0, -1)},"received":${received ?? "null"}}`;
}

const tooLarge = (): InvalidRequestError =>
  new InvalidRequestError([
    {
      type: "value_error",
      loc: ["body", "match"],
      msg: `Value error, match and match_related take more than ${MAX_PATTERN} characters`,
    },
  ]);

function missing(): never {
  throw new AppError("conflict", "The run was deleted");
}
