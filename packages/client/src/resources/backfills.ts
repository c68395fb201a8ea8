import type {
  Backfill,
  BackfillCancel,
  BackfillCreate,
  BackfillList,
  Static,
} from "@orchestrator/contract";
import { each, ensure, get, keyed, post, query, trigger } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import { withIdempotencyKey } from "./keys.ts";

type List = OptionalDefaults<Static<typeof BackfillList>>;

const MAX_PAGE = 50;

export const backfills = {
  /** Creates the runs that a deployment's schedules would have made in a span of time. */
  create: post<(deploymentId: string, backfill: BackfillCreate) => Backfill>(
    "/deployments/{id}/backfill",
    keyed<BackfillCreate>(withIdempotencyKey),
  ),
  read: get<(id: string) => Backfill>("/backfills/{id}"),
  list: query<(filter?: List) => Backfill[]>("/backfills/filter"),
  each: each<(filter?: List) => Backfill>("/backfills/filter", MAX_PAGE),
  cancel:
    ensure<(id: string, how?: Static<typeof BackfillCancel>) => Backfill>("/backfills/{id}/cancel"),
  resume: trigger<(id: string) => Backfill>("/backfills/{id}/resume"),
};
