// An engine on a clock that stands still until the test moves it, and other processes on the same
// database.

import { systemIds } from "@orchestrator/kernel/pure";
import { openKeyring } from "@orchestrator/kernel/secrets";
import { type ManualClock, manualClock } from "@orchestrator/kernel/testing";
import { expect } from "vitest";
import type { ServiceContext } from "../create-context.ts";
import { createContext } from "../create-context.ts";
import { Engine } from "../engine/engine.ts";
import { type ScriptedTargets, scriptedTargets } from "./scripted-pipeline.ts";
import type { OpenUptimeApi, UptimeApi } from "./test-api.ts";

export interface Bench extends AsyncDisposable {
  readonly api: UptimeApi;
  readonly clock: ManualClock;
  readonly targets: ScriptedTargets;
  readonly engine: Engine;
  /** Moves the time on, tick by tick, and waits for what was started. */
  readonly pass: (seconds: number, stepMs?: number) => Promise<void>;
}

export async function openBench(
  open: OpenUptimeApi,
  options: Parameters<OpenUptimeApi>[0] = {},
): Promise<Bench> {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const targets = scriptedTargets();
  const api = await open({ clock, pipeline: targets.pipeline, ...options });
  const engine = new Engine(api.ctx);
  return {
    api,
    clock,
    targets,
    engine,
    async pass(seconds, stepMs = 1000) {
      for (let ms = 0; ms < seconds * 1000; ms += stepMs) {
        clock.advanceMs(stepMs);
        engine.startDue();
        await api.ctx.runs.idle();
      }
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

export async function addTestMonitor(api: UptimeApi, more: Readonly<Record<string, unknown>> = {}) {
  const body = { name: "shop", url: "https://shop.example.com", interval: 10, ...more };
  const answer = await api.post("/monitors", body);
  expect(answer.status).toBe(201);
  return (answer.body as { readonly id: string }).id;
}

/** Another process on the same database. */
export async function openReplica(
  bench: Bench,
  options: ConstructorParameters<typeof Engine>[1] = {},
) {
  const db = await bench.api.openReplica?.();
  if (db === undefined) throw new Error("This engine has one process only");
  const { clock } = bench;
  const keyring = openKeyring({ folder: "", secretKey: "07".repeat(32) });
  const host = { ...bench.api.ctx, db, clock, ids: systemIds(clock), keyring };
  const { settings, hearing } = bench.api.ctx;
  const { pipeline } = bench.targets;
  const ctx: ServiceContext = createContext(host, { settings, hearing, pipeline });
  return { ctx, engine: new Engine(ctx, options) };
}

/**
 * The same, with a count of its writes that have ended, and of those that were under way together;
 * `before` may hold up each.
 */
export function countingWrites(
  ctx: ServiceContext,
  before: (nth: number) => Promise<void> | undefined = () => undefined,
) {
  const { db } = ctx;
  let begun = 0;
  let count = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const write: typeof db.write = async (workspaceId, work) => {
    begun += 1;
    await before(begun);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    return db.write(workspaceId, work).finally(() => {
      count += 1;
      atOnce -= 1;
    });
  };
  const writeSystem = db.writeSystem.bind(db);
  const counting = { ...ctx, db: { ...db, in: db.in.bind(db), write, writeSystem } };
  return { counting, writes: () => count, mostAtOnce: () => mostAtOnce };
}
