// What a trigger would have done. Bounded in every way: it is asked for by people who try things
// out.

import type {
  Automation,
  AutomationSimulate,
  AutomationSimulation,
  SimulatedEvent,
} from "@orchestrator/contract";
import { findPosition, type LoggedEvent } from "@orchestrator/kernel/events";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError, formatMicros, parseMicros, sleep } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { isProblem, receiveEvent } from "../../telemetry/events/events.rules.ts";
import { findAutomation } from "./automations.store.ts";
import { type EventHeader, findPageEnd, readHeaders, readTexts } from "./simulate.store.ts";
import type { LiveAutomation } from "./triggers/catalogue.rules.ts";
import { readChains } from "./triggers/chain.store.ts";
import { mayWait } from "./triggers/follows.rules.ts";
import { canonical } from "./triggers/names.rules.ts";
import { receiveTrigger } from "./triggers/receive-trigger.rules.ts";
import { type SimulatedArrival, Simulation } from "./triggers/simulation.rules.ts";
import { readTriggerEvent, type TriggerEvent } from "./triggers/trigger-event.rules.ts";
import { type TriggerRule, understood } from "./triggers/triggers.rules.ts";
import { readSeen } from "./triggers/waiting-events.store.ts";

const DAY_MICROS = 24 * 3600 * 1_000_000;
const MAX_READ = 50_000;
const MAX_CHARACTERS = 64_000_000;
const MAX_STEPS = 50_000;
const MAX_PATTERN_STEPS = 4_000_000;
const PAGE = 1000;
/**
 * Most of the log may be of other workspaces: so many events are looked at by one query, and by all
 * of them.
 */
const PASSED: Passed = { page: 5000, most: 1_000_000 };

export interface Passed {
  readonly page: number;
  readonly most: number;
}
const PIECE = 200;
const PIECE_CHARACTERS = 4_000_000;

export async function simulateAutomation(
  ctx: OrchestratorContext,
  scope: Scope,
  asked: AutomationSimulate,
  passed = PASSED,
): Promise<AutomationSimulation> {
  const subject = await subjectOf(ctx, scope, asked);
  const trigger = understood(subject.trigger, ctx.dialect.watchesUnasked);
  const automation = { ...subject, trigger };
  const simulation = new Simulation(automation, ctx.dialect.prefix, {
    entries: asked.limit,
    steps: MAX_STEPS,
    patternSteps: MAX_PATTERN_STEPS,
  });
  const { events } = asked;
  const since =
    events === undefined
      ? await playLog(ctx, scope, { simulation, asked, passed })
      : await playGiven(scope, { simulation, asked, events });
  return { since, ...simulation.result() };
}

/** The automation that is asked about, or one that has nothing but the trigger. */
async function subjectOf(
  ctx: OrchestratorContext,
  { workspaceId }: Scope,
  { automation_id: id, trigger: given }: AutomationSimulate,
): Promise<LiveAutomation> {
  if ((id === undefined) === (given === undefined))
    throw new AppError("invalid", "Either automation_id or trigger is needed, and not both");
  const rest = { workspaceId, name: "", description: "", tags: [] };
  const nothing = { actions: [], actionsOnTrigger: [] };
  if (given !== undefined) {
    const trigger = receiveTrigger(given, () => ctx.ids.uuid7());
    return { id: ctx.ids.uuid7(), trigger, ...rest, ...nothing };
  }
  const found = await findAutomation(ctx.db.in(workspaceId), id ?? "");
  if (found === null) throw new AppError("not_found", `Automation ${id} not found`);
  const trigger = (JSON.parse(found) as Automation).trigger as unknown as TriggerRule;
  return { id: id ?? "", trigger, ...rest, ...nothing };
}

interface Play {
  readonly simulation: Simulation;
  readonly asked: AutomationSimulate;
}

/** Answers from when on. */
async function playLog(
  ctx: OrchestratorContext,
  scope: Scope,
  { simulation, asked, passed }: Play & { readonly passed: Passed },
): Promise<string> {
  const now = ctx.clock.nowMicros();
  const until = Math.min(asked.until === undefined ? now : parseMicros(asked.until), now);
  const since = asked.since === undefined ? until - DAY_MICROS : parseMicros(asked.since);
  assertOrder(since, until);
  const first = await findPosition(ctx.db, formatMicros(since));
  const upTo = await findPosition(ctx.db, formatMicros(until + 1));
  simulation.begin(since);
  const queries = ctx.db.in(scope.workspaceId);
  const log = { ctx, scope, simulation, first };
  let read = 0;
  let looked = 0;
  let characters = 0;
  for (let after = first; after < upTo && simulation.truncation === null; ) {
    const end = await findPageEnd(ctx.db, { after, upTo, offset: passed.page - 1 });
    const headers = await readHeaders(queries, { after, upTo: end, limit: PAGE });
    after = headers.length === PAGE ? (headers.at(-1)?.position ?? end) : end;
    for (const piece of piecesOf(headers, simulation)) {
      characters += piece.characters;
      if (characters > MAX_CHARACTERS) simulation.stop("bytes");
      else await playPiece(log, piece);
    }
    read += headers.length;
    if (read >= MAX_READ) simulation.stop("events");
    looked += passed.page;
    if (looked >= passed.most && after < upTo) simulation.stop("log");
  }
  simulation.finish(until);
  return formatMicros(since);
}

interface Piece {
  readonly headers: readonly EventHeader[];
  /** The positions of those whose name the trigger knows. */
  readonly named: ReadonlySet<number>;
  readonly characters: number;
}

/** Few enough to be held in memory at once. */
function* piecesOf(headers: readonly EventHeader[], simulation: Simulation): Iterable<Piece> {
  let piece: EventHeader[] = [];
  let named = new Set<number>();
  let characters = 0;
  for (const header of headers) {
    const isNamed = simulation.knows(header.event);
    const size = isNamed ? header.size : 0;
    if (named.size >= PIECE || (characters > 0 && characters + size > PIECE_CHARACTERS)) {
      yield { headers: piece, named, characters };
      piece = [];
      named = new Set();
      characters = 0;
    }
    piece.push(header);
    if (isNamed) named.add(header.position);
    characters += size;
  }
  yield { headers: piece, named, characters };
}

interface LogPlay {
  readonly ctx: OrchestratorContext;
  readonly scope: Scope;
  readonly simulation: Simulation;
  /** The last position before the stretch. */
  readonly first: number;
}

async function playPiece(
  { ctx, scope: { workspaceId }, simulation, first }: LogPlay,
  { headers, named }: Piece,
): Promise<void> {
  const texts = await readTexts(ctx.db.in(workspaceId), [...named]);
  const ids = headers.filter(({ position }) => named.has(position)).map(({ id }) => id);
  const caused = await readChains(
    ctx.db.system,
    ids.map((id) => ({ workspace_id: workspaceId, id })),
  );
  const chains = new Map(caused.map(({ id, chain }) => [id, chain]));
  const byPosition = new Map(texts.map((text) => [text.position, text]));
  const arrivals = headers.map(({ position, id, event, received }): SimulatedArrival => {
    const text = byPosition.get(position);
    const logged: LoggedEvent | null =
      text === undefined ? null : { ...text, workspace_id: workspaceId, id, event, received };
    const known = logged === null ? null : readTriggerEvent(logged);
    return arrivalOf(
      { id, workspaceId, event, received },
      known && { ...known, chain: known.chain ?? chains.get(id) ?? null },
    );
  });
  const leaders = arrivals.flatMap((arrival) => {
    const { follows } = arrival;
    return follows !== null && mayWait(arrival) && simulation.isUnseen(follows)
      ? [{ workspace_id: workspaceId, id: follows }]
      : [];
  });
  for (const { id } of await readSeen(ctx.db.system, leaders, first + 1)) simulation.markSeen(id);
  for (const arrival of arrivals) simulation.feed(arrival);
  // Requests that wait get their turn.
  await sleep(0);
}

/** Answers from when on; null where there is nothing. */
async function playGiven(
  { workspaceId }: Scope,
  { simulation, asked, events }: Play & { readonly events: readonly SimulatedEvent[] },
): Promise<string | null> {
  const arrivals = given(events).map(({ event, received }, index) => {
    const text = receiveEvent(event, received);
    if (isProblem(text)) {
      const loc = ["body", "events", index, ...text.path];
      const msg = `Value error, ${text.message}`;
      throw new InvalidRequestError([{ type: "value_error", loc, msg }]);
    }
    const logged = { ...text, workspace_id: workspaceId, position: index + 1 };
    const known = simulation.knows(event.event) ? readTriggerEvent(logged) : null;
    return arrivalOf({ id: event.id, workspaceId, event: event.event, received }, known);
  });
  const first = asked.since ?? null;
  if (first !== null) simulation.begin(parseMicros(first));
  if (first !== null && asked.until !== undefined)
    assertOrder(parseMicros(first), parseMicros(asked.until));
  for (const [index, arrival] of arrivals.entries()) {
    if (index % PIECE === PIECE - 1) await sleep(0);
    simulation.feed(arrival);
  }
  const last = arrivals.at(-1)?.received ?? null;
  const until = asked.until === undefined ? last : parseMicros(asked.until);
  if (until !== null) simulation.finish(until);
  const begun = arrivals[0]?.received;
  return first ?? (begun === undefined ? null : formatMicros(begun));
}

/** Of events with the same id the log keeps the first. */
function given(events: readonly SimulatedEvent[]) {
  const ids = new Set<string>();
  return events.flatMap(({ received, ...event }) => {
    if (ids.has(event.id)) return [];
    ids.add(event.id);
    return [{ event, received: received ?? event.occurred }];
  });
}

function arrivalOf(
  header: {
    readonly id: string;
    readonly workspaceId: string;
    readonly event: string;
    readonly received: string;
  },
  event: TriggerEvent | null,
): SimulatedArrival {
  const { id, workspaceId } = header;
  const follows = event?.follows ?? null;
  const name = canonical(header.event);
  const received = parseMicros(header.received);
  return { id, workspaceId, name, follows, received, turn: received, event };
}

function assertOrder(since: number, until: number): void {
  if (since > until) throw new AppError("invalid", "since must not be later than until");
}
