// Held against the table by hand, as requests are.
import { SERVICE_IDENTITIES } from "@orchestrator/orchestrator/testing";
import { expect, test } from "vitest";
import { lowestRoles, RANKS } from "./testing/lowest-roles.ts";

/** Opens secrets, which takes more than looking at the rest of a block. */
const SEES_SECRETS = ["deliveries"];

test.each(Object.entries(SERVICE_IDENTITIES))(
  "%s has the least role that may do by requests what it does by itself",
  (name, identity) => {
    const roles = lowestRoles();
    const needed = identity.operations.map((operation: string) => {
      const rank = roles.get(operation);
      expect(rank, operation).toBeDefined();
      return RANKS.indexOf(rank ?? "operator");
    });
    if (SEES_SECRETS.includes(name)) needed.push(RANKS.indexOf("runner"));
    expect(RANKS[Math.max(...needed)]).toBe(identity.role);
  },
);
