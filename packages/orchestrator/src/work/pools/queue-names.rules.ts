import { WorkQueueName } from "@orchestrator/contract";
import { createReader } from "@orchestrator/kernel/http";

const reader = createReader(WorkQueueName);

/**
 * Whether a queue may be called so, as the contract says it of queues that are made by their own
 * endpoint.
 */
export function isQueueName(name: string): boolean {
  return "value" in reader.check(name);
}
