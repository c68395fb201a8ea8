/** What can be transferred, as `--only` calls it: the help needs no more than the words. */
export const KINDS = [
  "variable",
  "global-concurrency-limit",
  "concurrency-limit",
  "block-type",
  "block",
  "work-pool",
  "work-queue",
  "flow",
  "deployment",
  "sla",
  "monitor",
  "maintenance",
  "status-page",
  "automation",
] as const;
export type KindName = (typeof KINDS)[number];
