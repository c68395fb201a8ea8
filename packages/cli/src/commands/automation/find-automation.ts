import type { Automation } from "@orchestrator/contract";
import { findNamed } from "../../io/find-named.ts";
import type { CliSession } from "../../io/session.ts";

export function findAutomation({ client }: CliSession, name: string): Promise<Automation> {
  return findNamed(
    {
      what: "automation",
      read: (id) => client.automations.read(id),
      each: (wanted) =>
        client.automations.each(
          wanted === undefined ? {} : { automations: { name: { any_: [wanted] } } },
        ),
    },
    name,
  );
}
