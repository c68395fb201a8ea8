// `concurrency` of a deployment in `orchestrator.yaml`.

import type { DeploymentCreate, OnCollision } from "@orchestrator/contract";
import { UsageError } from "../../output/fail.ts";
import { recordValue, rejectUnknownKeys, textValue, wholeNumberValue } from "./file-values.ts";

export interface FileConcurrency {
  readonly key?: string;
  readonly limit: number;
  readonly onCollision: OnCollision;
}

/** What the established API calls each of them. */
const STRATEGIES: Readonly<Record<OnCollision, "ENQUEUE" | "CANCEL_NEW">> = {
  queue: "ENQUEUE",
  skip: "CANCEL_NEW",
  "cancel-running": "ENQUEUE",
  "replace-queued": "ENQUEUE",
};
const CHOICES = Object.keys(STRATEGIES);

/** Both spellings of `on_collision` are taken, as the SDK has the second. */
export function concurrencyValue(given: unknown, where: string): FileConcurrency {
  const { key, limit, ...rest } = recordValue(given, where);
  const known = ["key", "limit", "on_collision", "onCollision"];
  rejectUnknownKeys(Object.keys(rest), { known, where });
  const chosen = rest["on_collision"] ?? rest["onCollision"] ?? "queue";
  const onCollision = CHOICES.find((choice) => choice === chosen);
  if (onCollision === undefined)
    throw new UsageError(`${where}.on_collision must be one of ${CHOICES.join(", ")}`);
  return {
    ...(key != null && { key: textValue(key, `${where}.key`) }),
    limit: limit == null ? 1 : wholeNumberValue(limit, `${where}.limit`),
    onCollision: onCollision as OnCollision,
  };
}

/** The same as the server has it; a file that leaves it out clears the key. */
export function concurrencyFields(
  concurrency: FileConcurrency | undefined,
  strategy: string | undefined,
) {
  // The words that may stand here are the server's to know.
  const options = (
    name: string | undefined,
  ): NonNullable<DeploymentCreate["concurrency_options"]> | null =>
    name === undefined ? null : { collision_strategy: name as "ENQUEUE" };
  if (concurrency === undefined)
    return { concurrency_key: null, on_collision: null, concurrency_options: options(strategy) };
  const { key = null, limit, onCollision } = concurrency;
  return {
    concurrency_limit: limit,
    concurrency_key: key,
    on_collision: onCollision,
    concurrency_options: options(STRATEGIES[onCollision]),
  };
}
