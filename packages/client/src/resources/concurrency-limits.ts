import type {
  ConcurrencyLimitCreate,
  ConcurrencyLimitList,
  ConcurrencyLimitRecord,
  ConcurrencyLimitState,
  ConcurrencyLimitUpdate,
  LeaseRenewal,
  SlotDecrement,
  SlotHolder,
  SlotHolderPage,
  SlotIncrement,
  SlotLease,
  SlotLeaseEnd,
  SlotLeaseResult,
  Static,
  TouchedLimit,
} from "@orchestrator/contract";
import {
  del,
  each,
  eachGot,
  ensure,
  get,
  getWith,
  patch,
  post,
  query,
} from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof ConcurrencyLimitList>>;
type Holders = OptionalDefaults<Static<typeof SlotHolderPage>>;

/** Limits by name, with leases. */
export const concurrencyLimits = {
  create:
    post<(limit: OptionalDefaults<ConcurrencyLimitCreate>) => ConcurrencyLimitRecord>(
      "/v2/concurrency_limits/",
    ),
  read: get<(idOrName: string) => ConcurrencyLimitState>("/v2/concurrency_limits/{id_or_name}"),
  update: patch<(idOrName: string, changes: ConcurrencyLimitUpdate) => void>(
    "/v2/concurrency_limits/{id_or_name}",
    { repeat: "unsent" },
  ),
  delete: del<(idOrName: string) => void>("/v2/concurrency_limits/{id_or_name}"),
  list: query<(page?: List) => ConcurrencyLimitState[]>("/v2/concurrency_limits/filter"),
  each: each<(page?: List) => ConcurrencyLimitState>("/v2/concurrency_limits/filter"),
  /** Who holds slots, longest first. */
  listHolders: getWith<(idOrName: string, page?: Holders) => SlotHolder[]>(
    "/v2/concurrency_limits/{id_or_name}/holders",
  ),
  eachHolder: eachGot<(idOrName: string, page?: Holders) => SlotHolder>(
    "/v2/concurrency_limits/{id_or_name}/holders",
  ),
  /** Takes slots; 423 says that there are none, and after how long to ask again. */
  increment: post<(slots: OptionalDefaults<SlotIncrement>) => TouchedLimit[]>(
    "/v2/concurrency_limits/increment",
  ),
  /** Takes slots until a lease ends or is not renewed. */
  lease: post<(slots: OptionalDefaults<SlotLease>) => SlotLeaseResult>(
    "/v2/concurrency_limits/increment-with-lease",
  ),
  decrement: post<(slots: SlotDecrement) => TouchedLimit[]>("/v2/concurrency_limits/decrement"),
  endLease: ensure<(lease: Static<typeof SlotLeaseEnd>) => void>(
    "/v2/concurrency_limits/decrement-with-lease",
  ),
  renewLease: ensure<
    (leaseId: string, renewal?: OptionalDefaults<Static<typeof LeaseRenewal>>) => void
  >("/v2/concurrency_limits/leases/{lease_id}/renew"),
};
