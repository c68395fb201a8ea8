import { readFileSync } from "node:fs";
import * as contract from "@orchestrator/contract";
import { expect, test } from "vitest";
import { CHECKS } from "./checks/registry.ts";

const fieldsOf = ({ properties }: { readonly properties: object }) => Object.keys(properties);

const PAGES: Readonly<Record<string, readonly string[]>> = {
  checks: CHECKS.flatMap(({ type, schema }) => [type, ...fieldsOf(schema)]),
  maintenance: fieldsOf(contract.MaintenanceCreate),
  monitors: Object.keys(contract.monitorFields),
  "sla-report": [...fieldsOf(contract.SlaRecord), ...fieldsOf(contract.SlaQuery)],
  "status-pages": [
    ...fieldsOf(contract.StatusPageCreate),
    ...fieldsOf(contract.StatusReportCreate),
    ...contract.PAGE_PARTS,
    ...contract.PAGE_THEMES,
    ...contract.REPORT_STATES,
    ...contract.REPORT_IMPACTS,
  ],
};

for (const [page, names] of Object.entries(PAGES))
  test(`the reference page ${page} names every field and value of the API`, () => {
    const file = new URL(`../../../docs/reference/${page}.md`, import.meta.url);
    const text = readFileSync(file, "utf8");
    expect(names).not.toHaveLength(0);
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
