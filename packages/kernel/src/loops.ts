// The door to background loops, and the leases that decide which replica runs them.

export {
  createHearing,
  type DeadlineExtension,
  type Hearing,
  type OwnHearing,
  uninterrupted,
} from "./hearing/hearing.ts";
export { createLeaseKeeper, type LeaseKeeper, soleHolder } from "./leases/lease-keeper.ts";
export { assertLease } from "./leases/leases.ts";
export type { LoopDefinition, LoopHealth, LoopObserver } from "./loops/loop.ts";
export { createSupervisor, type Supervisor } from "./loops/supervisor.ts";
