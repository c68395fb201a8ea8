// One run of a monitor: all its checks in order, within one deadline; the worst status wins.

import type { MonitorStatus } from "@orchestrator/contract";
import type { Clock } from "@orchestrator/kernel/pure";
import { createNameResolver, type HostResolver } from "@orchestrator/outbound";
import { formatted } from "./certificate.ts";
import type { CheckNetwork, CheckOutcome, HeartbeatCalls } from "./check.ts";
import { roundMs, worstOf } from "./outcome.ts";
import { type CheckConfig, findCheck, PLAIN } from "./registry.ts";
import { runCheck } from "./run-check.ts";
import { noMasker, secretMasker } from "./secret-masker.ts";
import { credentialSecrets, credentialsOf, mapTexts, querySecrets, secretsIn } from "./secrets.ts";

export interface PipelineTarget {
  readonly id: string;
  readonly url: string;
  /** An empty one is a single `http` check. */
  readonly pipeline: readonly CheckConfig[];
  /** Only for monitors with a `heartbeat` check. */
  readonly heartbeat?: HeartbeatCalls | null;
}

export interface PipelineDeps extends CheckNetwork {
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /**
   * How long the run may take, however many checks there are and however often they are tried; two
   * minutes at most.
   */
  readonly maxRunMs?: number;
}

export interface PipelineOutcome {
  readonly status: MonitorStatus;
  readonly message: string;
  readonly elapsed_ms: number;
  readonly details: Record<string, unknown>;
  /** Whether the target refused our credentials. */
  readonly authFailed: boolean;
  /** When the first of the certificates that were seen ends. */
  readonly certificate_ends: string | null;
  /**
   * Whether the run says nothing about the target: it was interrupted, or this server could not
   * judge what it heard.
   */
  readonly inconclusive: boolean;
  /** Whether nothing was heard from the target, so that our own network may be what failed. */
  readonly unreachable: boolean;
}

const MAX_RUN_MS = 120_000;
const MAX_SUMMARY = 500;

/** Never throws. */
export async function runPipeline(
  target: PipelineTarget,
  deps: PipelineDeps,
): Promise<PipelineOutcome> {
  const startedAt = performance.now();
  const pipeline = target.pipeline.length === 0 ? PLAIN : target.pipeline;
  const { hide, secrets } = hidingFor(target.url, pipeline);
  const resolve = deps.resolve ?? systemNames();
  const maxRunMs = Math.min(deps.maxRunMs ?? MAX_RUN_MS, MAX_RUN_MS);
  const { signal, clock, policy, authorities, compute } = deps;
  const endsAtMs = startedAt + maxRunMs;
  const run = { signal, clock, policy, authorities, resolve, compute, hide, secrets, endsAtMs };
  const subject = { url: target.url, heartbeat: target.heartbeat ?? null };
  const outcomes: Named[] = [];
  for (const config of pipeline) {
    const outcome = await runCheck(config, subject, run);
    outcomes.push({ type: config.type, outcome });
    if (signal.aborted) break;
  }
  const elapsed_ms = roundMs(performance.now() - startedAt);
  const inconclusive = (signal.aborted && !isWhole(pipeline, outcomes)) || isUndecided(outcomes);
  return told(outcomes, hide, { elapsed_ms, inconclusive });
}

interface Named {
  readonly type: string;
  readonly outcome: CheckOutcome;
}

/** Whether what was heard before the server stopped is all there is to hear. */
function isWhole(pipeline: readonly CheckConfig[], outcomes: readonly Named[]): boolean {
  return outcomes.length === pipeline.length && outcomes.at(-1)?.outcome.status !== "down";
}

/** Whether a check is undecided and no other has found the target down. */
function isUndecided(outcomes: readonly Named[]): boolean {
  const down = outcomes.filter(({ outcome }) => outcome.status === "down");
  return down.length > 0 && down.every(({ outcome }) => outcome.isUndecided);
}

function told(
  outcomes: readonly Named[],
  hide: (text: string) => string,
  { elapsed_ms, inconclusive }: Pick<PipelineOutcome, "elapsed_ms" | "inconclusive">,
): PipelineOutcome {
  const all = outcomes.map(({ outcome }) => outcome);
  const ends = all.flatMap((outcome) => outcome.certificateEndsMicros ?? []);
  const parts = outcomes.map(({ type, outcome }) => `${type}: ${summary(outcome.summary, hide)}`);
  return {
    status: worstOf(all.map(({ status }) => status)),
    message: parts.join("; "),
    elapsed_ms,
    details: withoutSecrets(details(outcomes), hide),
    authFailed: all.some(({ isAuthFailure }) => isAuthFailure),
    certificate_ends: ends.length === 0 ? null : formatted(Math.min(...ends)),
    inconclusive,
    unreachable: all.some(({ isUnreachable }) => isUnreachable),
  };
}

/** A semicolon stands between checks and nowhere else. */
function summary(text: string, hide: (text: string) => string): string {
  const line = hide(text).replaceAll(";", ",");
  return line.length > MAX_SUMMARY ? `${line.slice(0, MAX_SUMMARY - 1)}…` : line;
}

function details(outcomes: readonly Named[]): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  const seen = new Map<string, number>();
  for (const { type, outcome } of outcomes) {
    const count = (seen.get(type) ?? 0) + 1;
    seen.set(type, count);
    all[count === 1 ? type : `${type}#${count}`] = outcome.details;
  }
  return all;
}

interface Hidden {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly hide: (text: string) => string;
}

/** A monitor has the same secrets for as long as it is not changed. */
const hidden = new WeakMap<readonly CheckConfig[], Hidden>();

function hidingFor(url: string, pipeline: readonly CheckConfig[]): Hidden {
  const known = hidden.get(pipeline);
  if (known?.url === url) return known;
  const secrets = secretsOf(url, pipeline);
  const found = { url, secrets, hide: secretMasker(secrets) };
  hidden.set(pipeline, found);
  return found;
}

function withoutSecrets(
  all: Record<string, unknown>,
  hide: (text: string) => string,
): Record<string, unknown> {
  return hide === noMasker ? all : (mapTexts(all, hide) as Record<string, unknown>);
}

function secretsOf(url: string, pipeline: readonly CheckConfig[]): readonly string[] {
  const user = credentialsOf(url);
  return [
    ...(user === null ? [] : credentialSecrets(user)),
    ...querySecrets(url),
    ...pipeline.flatMap((config) => {
      const check = findCheck(config);
      return check === null ? [] : secretsIn(check, config);
    }),
  ];
}

let names: HostResolver | null = null;

function systemNames(): HostResolver {
  names ??= createNameResolver();
  return names;
}
