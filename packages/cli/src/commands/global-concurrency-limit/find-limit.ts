import type { ConcurrencyLimitState } from "@orchestrator/contract";
import { found } from "../../io/find.ts";
import type { CliSession } from "../../io/session.ts";

export function findLimit({ client }: CliSession, name: string): Promise<ConcurrencyLimitState> {
  return found(client.concurrencyLimits.read(name), {
    what: "global-concurrency-limit",
    name,
    names: () => client.concurrencyLimits.each(),
  });
}
