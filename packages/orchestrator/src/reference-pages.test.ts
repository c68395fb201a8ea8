import { readFileSync } from "node:fs";
import * as contract from "@orchestrator/contract";
import { expect, test } from "vitest";
import { NOTIFICATION_BLOCKS } from "./blocks/notification-blocks.ts";
import { ACTION_OPERATIONS } from "./service-identities.rules.ts";

const PAGES: Readonly<Record<string, readonly string[]>> = {
  automations: [...contract.VERDICTS, ...contract.TRUNCATIONS, ...Object.keys(ACTION_OPERATIONS)],
  deliveries: [
    ...contract.DELIVERY_STATUSES,
    ...contract.DELIVERY_PARTS,
    ...NOTIFICATION_BLOCKS.map(({ slug }) => slug),
  ],
  runs: contract.OBSTACLES,
  schedules: [...contract.CATCHUP, ...contract.OVERLAP],
  slas: [...contract.SLA_KINDS, ...contract.SLA_SEVERITIES, ...contract.SLA_STATUSES],
};

for (const [page, names] of Object.entries(PAGES))
  test(`the reference page ${page} names every value that the API has`, () => {
    const file = new URL(`../../../docs/reference/${page}.md`, import.meta.url);
    const text = readFileSync(file, "utf8");
    expect(names).not.toHaveLength(0);
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
