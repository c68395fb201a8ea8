import type { Static, TroubledRun, Troubles, TroublesQuery } from "@orchestrator/contract";
import { listJson, type Scope } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { TROUBLED_RUNS } from "./figures.filter.ts";

const FAILED = { type: { any_: ["FAILED", "CRASHED"] } };
/** With the type, an index leads to them. */
const LATE = { type: { any_: ["SCHEDULED"] }, name: { any_: ["Late"] } };

/** Both lists are in the order of an index, so few of many are found at once. */
export async function readTroubles(
  ctx: OrchestratorContext,
  scope: Scope,
  { since, limit }: Static<typeof TroublesQuery>,
): Promise<Troubles> {
  const queries = ctx.db.in(scope.workspaceId);
  const list = async (filter: object, sort: keyof typeof TROUBLED_RUNS.sorts) => {
    const page = { filter: { ...filter }, sort, limit, offset: 0, now: ctx.clock.now() };
    return JSON.parse(await listJson<TroubledRun>(queries, TROUBLED_RUNS, page)) as TroubledRun[];
  };
  const [failed, late] = await Promise.all([
    list(
      { state: FAILED, ...(since && { expected_start_time: { after_: since } }) },
      "EXPECTED_START_TIME_DESC",
    ),
    list({ state: LATE }, "EXPECTED_START_TIME_ASC"),
  ]);
  return { failed, late };
}
