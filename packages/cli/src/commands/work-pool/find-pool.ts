import type { WorkPool } from "@orchestrator/contract";
import { found } from "../../io/find.ts";
import type { CliSession } from "../../io/session.ts";

export function findPool({ client }: CliSession, name: string): Promise<WorkPool> {
  return found(client.workPools.read(name), {
    what: "work pool",
    name,
    names: () => client.workPools.each(),
  });
}
