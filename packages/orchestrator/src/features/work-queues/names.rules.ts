const MAX_LENGTH = 255;

/** Whether a queue may be called so, as the contract says it of queues that are made by their own endpoint. */
export function isQueueName(name: string): boolean {
  return name.length <= MAX_LENGTH && /^[^/%&><]+$/.test(name);
}
