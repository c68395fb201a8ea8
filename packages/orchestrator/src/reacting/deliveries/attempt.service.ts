// One attempt to deliver a message: read the block, put the message into its form, send what has
// not been taken yet.

import type { DeliveryPart, JsonObject } from "@orchestrator/contract";
import { KeyringError } from "@orchestrator/kernel/secrets";
import {
  mailText,
  type OutboundPolicy,
  originOf,
  sendMail,
  sendRequest,
  withTimeLimits,
} from "@orchestrator/outbound";
import { findDocument } from "../../blocks/documents/block-documents.store.ts";
import { composedData } from "../../blocks/documents/compose.rules.ts";
import { assertMaySee, openGraph } from "../../blocks/documents/read-documents.service.ts";
import type { OrchestratorContext } from "../../context.ts";
import { scopeOfService } from "../../service-scope.ts";
import type { Content } from "./content.ts";
import { type ClaimedDelivery, recordDeliveryProgress, recordPlaces } from "./deliveries.store.ts";
import {
  BlockFault,
  type Format,
  flagIn,
  type HttpOutgoing,
  type MailOutgoing,
  type Outgoing,
} from "./formats/format.rules.ts";
import { findFormat } from "./formats/formats.rules.ts";
import {
  isSameOrder,
  partsFor,
  recipientDigests,
  recipientKeyOf,
} from "./formats/recipients.rules.ts";
import { webhookCall } from "./formats/webhook.rules.ts";
import { blockSecretMasker, type Hide } from "./hidden-secrets.rules.ts";
import { persistently } from "./persistently.ts";
import { classifyAnswer, classifyError, type DeliveryVerdict } from "./verdict.rules.ts";

const BLOCK_ADVICE = "The block itself says so: allow_private_urls";
const SERVER_ADVICE =
  "The operator of the server can allow it with ORCHESTRATOR_DELIVERIES_ALLOWED_HOSTS or ORCHESTRATOR_DELIVERIES_ALLOW_PRIVATE. Otherwise let the automation run a deployment whose worker in that network sends it";

const TIMEOUT_MS = 20_000;
/** A server that stops lets those under way hear their answers for so long. */
const GRACE_MS = 5000;

export type OwnDelivery = ClaimedDelivery & { readonly claim: string };

export interface Attempted {
  readonly parts: readonly DeliveryPart[];
  /** JSON: what is still to be sent, with whose parts these are. */
  readonly content: string | null;
  readonly destination: string | null;
  /** The server stops, and some recipients were not tried. */
  readonly isInterrupted: boolean;
  /** What was said last, of those that were not delivered before all others. */
  readonly verdict: DeliveryVerdict;
}

/** Somebody else has the message by now. */
export class ClaimLost extends Error {}

export async function attemptDelivery(
  ctx: OrchestratorContext,
  row: OwnDelivery,
  stopping: AbortSignal,
): Promise<Attempted> {
  const known = JSON.parse(row.parts) as readonly DeliveryPart[];
  let ready: Ready;
  try {
    ready = await readyDelivery(ctx, row);
  } catch (error) {
    const verdict = classifyError(error, (text) => text) ?? unexpected(ctx, row, error);
    const { content, destination } = row;
    return { parts: known, content, destination, isInterrupted: false, verdict };
  }
  const destination =
    ready.outgoing[0] === undefined ? null : shownTarget(ready, ready.outgoing[0]);
  const { parts, content } = await placed(ctx, row, { ready, known, stopping });
  const said: DeliveryVerdict[] = [];
  let isInterrupted = false;
  for (const [index, outgoing] of ready.outgoing.entries()) {
    if (parts[index] !== "pending") continue;
    isInterrupted = stopping.aborted;
    if (isInterrupted) break;
    const verdict = await send(ctx, { row, ready, outgoing }, stopping);
    said.push(verdict);
    parts[index] = verdict.outcome === "later" ? "pending" : verdict.outcome;
    if (verdict.outcome === "later" && verdict.isDown) break;
    if (parts.length > 1) await keep(ctx, row, { parts, destination, stopping });
  }
  const verdict = weightiest(said);
  return { parts, content: withRefusal(content, said), destination, isInterrupted, verdict };
}

/**
 * The attempts that follow do not ask again whoever has refused it, and say in the end what was
 * said now.
 */
function withRefusal(content: string | null, said: readonly DeliveryVerdict[]): string | null {
  const refused = said.find(({ outcome }) => outcome === "failed");
  if (content === null || refused?.outcome !== "failed") return content;
  return JSON.stringify({ ...(JSON.parse(content) as Content), refusal: refused.reason });
}

/** Why a recipient has refused the message for good; null when none is known to have. */
export function refusalIn(content: string | null): string | null {
  const known = JSON.parse(content ?? "null") as Content | null;
  return known?.type === "send-notification" ? (known.refusal ?? null) : null;
}

interface Placing {
  readonly ready: Ready;
  readonly known: readonly DeliveryPart[];
  readonly stopping: AbortSignal;
}

/**
 * What is known of each recipient. Where there are several, who they are is written down before the
 * first gets it.
 */
async function placed(
  ctx: OrchestratorContext,
  row: OwnDelivery,
  { ready, known, stopping }: Placing,
): Promise<{ parts: DeliveryPart[]; readonly content: string | null }> {
  const before = JSON.parse(row.content ?? "null") as Content;
  const marks = recipientDigests(row.id, ready.outgoing);
  const knownMarks = before.type === "send-notification" ? (before.recipients ?? null) : null;
  const parts = partsFor(marks, { parts: known, marks: knownMarks });
  const isAlone = marks.length === 1 && knownMarks === null;
  if (isAlone || isSameOrder(marks, knownMarks)) return { parts, content: row.content };
  const content = JSON.stringify({ ...before, recipients: marks });
  const { id, claim, workspace_id } = row;
  const places = { id, claim, content, parts: JSON.stringify(parts) };
  const write = () => ctx.db.write(workspace_id, (tx) => recordPlaces(tx, places));
  if (!(await persistently(write, stopping))) throw new ClaimLost();
  return { parts, content };
}

/**
 * It is tried again like what was not taken: the server may not have the key of the block yet, say.
 */
function unexpected(
  ctx: OrchestratorContext,
  { id }: OwnDelivery,
  error: unknown,
): DeliveryVerdict {
  ctx.log.error({ err: error, delivery: id }, "A message cannot be delivered");
  const isSealed = error instanceof KeyringError && error.reason === "unknown_key";
  const reason = isSealed
    ? "The server that tried it lacks the key of the block"
    : "An unexpected error, which the log describes";
  const rest = { statusCode: null, details: {}, retryAfterMicros: null, isDown: false };
  return { outcome: "later", reason, ...rest };
}

interface Ready {
  readonly outgoing: readonly Outgoing[];
  readonly format: Format | null;
  readonly policy: OutboundPolicy;
  readonly hide: Hide;
}

async function readyDelivery(ctx: OrchestratorContext, row: OwnDelivery): Promise<Ready> {
  const scope = scopeOfService(ctx, "deliveries", {
    operation: "GET /api/block_documents/{id}",
    workspaceId: row.workspace_id,
    requestId: row.id,
  });
  assertMaySee(scope, { includeSecrets: true });
  const queries = ctx.db.in(scope.workspaceId);
  const document = await findDocument(queries, row.block_document_id);
  const graph = await openGraph(ctx, queries, document === null ? [] : [document]);
  const opened = graph.documents.get(row.block_document_id);
  if (opened === undefined)
    throw new BlockFault(`Block document ${row.block_document_id} not found`);
  const block = composedData(graph, opened, true);
  const hide = blockSecretMasker(block, composedData(graph, opened, false));
  const content = JSON.parse(row.content ?? "null") as Content;
  const { id, created, block_type_slug } = row;
  const policy = policyOf(ctx, block);
  if (content.type === "call-webhook")
    return { outgoing: [webhookCall(block, content.payload)], format: null, policy, hide };
  const format = findFormat(block_type_slug);
  if (format === null)
    throw new BlockFault(`Notifications cannot be sent through blocks of type ${block_type_slug}`);
  const { subject, body } = content;
  const outgoing = format.outgoing(block, { id, created, subject, body });
  return { outgoing, format, policy, hide };
}

/** A block may be stricter than the server, never the other way round. */
function policyOf({ settings }: OrchestratorContext, block: JsonObject): OutboundPolicy {
  if (!flagIn(block, "allow_private_urls", true))
    return { allowPrivate: false, allowed: [], advice: BLOCK_ADVICE };
  const { deliveriesAllowPrivate: allowPrivate, deliveriesAllowedHosts: allowed } = settings;
  return { allowPrivate, allowed: allowed ?? [], advice: SERVER_ADVICE };
}

interface Sending {
  readonly row: OwnDelivery;
  readonly ready: Ready;
  readonly outgoing: Outgoing;
}

async function send(
  ctx: OrchestratorContext,
  { row, ready, outgoing }: Sending,
  stopping: AbortSignal,
): Promise<DeliveryVerdict> {
  const { policy, hide, format } = ready;
  const timeoutMs = (outgoing.transport === "http" ? outgoing.timeoutMs : undefined) ?? TIMEOUT_MS;
  try {
    return await withTimeLimits({ timeoutMs, stopping, graceMs: GRACE_MS }, async (signal) => {
      if (outgoing.transport === "smtp") {
        await sendMail(outgoing.server, envelopeOf(outgoing), { policy, signal });
        return { outcome: "delivered", statusCode: 250, details: {} };
      }
      const key = recipientKeyOf(row.id, outgoing, ready.outgoing);
      const answer = await sendRequest(requestOf(ctx, outgoing, key), { policy, signal });
      const judgement = format?.judge?.(answer) ?? {};
      const nowMicros = ctx.clock.nowMicros();
      const { takesAnyAnswer } = ctx.dialect;
      const type = row.action_type;
      return classifyAnswer({ type, answer, judgement, nowMicros, hide, takesAnyAnswer });
    });
  } catch (error) {
    return classifyError(error, hide) ?? unexpected(ctx, row, error);
  }
}

function requestOf({ version }: OrchestratorContext, outgoing: HttpOutgoing, key: string) {
  const own = new Set(Object.keys(outgoing.headers).map((name) => name.toLowerCase()));
  const more = { "user-agent": `orchestrator/${version}`, "idempotency-key": key };
  const added = Object.entries(more).filter(([name]) => !own.has(name));
  const { method, url, body, verify = true } = outgoing;
  return {
    method,
    url,
    body,
    verify,
    headers: { ...outgoing.headers, ...Object.fromEntries(added) },
  };
}

function envelopeOf({ mail, to }: MailOutgoing) {
  return { from: mail.from.address, to, text: mailText(mail) };
}

function shownTarget({ hide }: Ready, outgoing: Outgoing): string | null {
  if (outgoing.transport === "smtp")
    return hide(`smtp://${outgoing.server.host}:${outgoing.server.port}`);
  const origin = originOf(outgoing.url);
  return origin === null ? null : hide(origin);
}

/** Who has it will not get it again, even if this server dies now. */
async function keep(
  ctx: OrchestratorContext,
  { id, claim, workspace_id }: OwnDelivery,
  {
    parts,
    destination,
    stopping,
  }: Pick<Attempted, "parts" | "destination"> & { readonly stopping: AbortSignal },
): Promise<void> {
  const progress = { id, claim, parts: JSON.stringify(parts), destination };
  const write = () => ctx.db.write(workspace_id, (tx) => recordDeliveryProgress(tx, progress));
  if (!(await persistently(write, stopping))) throw new ClaimLost();
}

const WEIGHTS = { delivered: 0, failed: 1, later: 2 } as const;

/** What decides how it goes on. */
function weightiest(verdicts: readonly DeliveryVerdict[]): DeliveryVerdict {
  const [first, ...others] = verdicts;
  if (first === undefined) return NOTHING_SENT;
  return others.reduce(
    (most, verdict) => (WEIGHTS[verdict.outcome] > WEIGHTS[most.outcome] ? verdict : most),
    first,
  );
}

/** A server that took it over from another that died may find all recipients served. */
const NOTHING_SENT: DeliveryVerdict = { outcome: "delivered", statusCode: null, details: {} };
