import type { Static, TroubledRun, Troubles, TroublesQuery } from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../context.ts";
import { TROUBLED_RUNS } from "./figures.filter.ts";

const FAILED = ["FAILED", "CRASHED"];
/** With the type, an index leads to them. */
const LATE = { type: { any_: ["SCHEDULED"] }, name: { any_: ["Late"] } };

/**
 * Each list is of one type and in the order of its index; what is late was expected by now, so what
 * lies ahead is not read.
 */
export async function readTroubles(
  ctx: OrchestratorContext,
  scope: Scope,
  { since, limit }: Static<typeof TroublesQuery>,
): Promise<Troubles> {
  const queries = ctx.db.in(scope.workspaceId);
  const now = ctx.clock.now();
  const list = async (filter: object, sort: keyof typeof TROUBLED_RUNS.sorts) => {
    const page = { filter: { ...filter }, sort, limit, offset: 0, now };
    return JSON.parse(await listJson<TroubledRun>(queries, TROUBLED_RUNS, page)) as TroubledRun[];
  };
  const lately = since && { expected_start_time: { after_: since } };
  const [late, ...failed] = await Promise.all([
    list({ state: LATE, expected_start_time: { before_: now } }, "EXPECTED_START_TIME_ASC"),
    ...FAILED.map((type) =>
      list({ state: { type: { any_: [type] } }, ...lately }, "EXPECTED_START_TIME_DESC"),
    ),
  ]);
  return { failed: failed.flat().toSorted(latestFirst).slice(0, limit), late: late ?? [] };
}

/** As the list has them: what has no time counts as the latest. */
const latestFirst = (one: TroubledRun, other: TroubledRun): number =>
  keyOf(one) < keyOf(other) ? 1 : -1;
const keyOf = ({ expected_start_time: time, id }: TroubledRun): string => `${time ?? "~"} ${id}`;
