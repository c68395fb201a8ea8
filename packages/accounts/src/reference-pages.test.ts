import { readFileSync } from "node:fs";
import * as contract from "@orchestrator/contract";
import { expect, test } from "vitest";
import { QUOTAS } from "./usage/quotas.rules.ts";

const fieldsOf = ({ properties }: { readonly properties: object }) => Object.keys(properties);

const PAGES: Readonly<Record<string, readonly string[]>> = {
  "audit-log": [
    ...fieldsOf(contract.AuditEntry),
    ...fieldsOf(contract.AuditSelection),
    ...contract.AUDIT_RESULTS,
  ],
  quotas: QUOTAS,
  roles: contract.ROLES,
  "single-sign-on": contract.SIGN_IN_PROBLEMS,
};

for (const [page, names] of Object.entries(PAGES))
  test(`the reference page ${page} names every field and value of the API`, () => {
    const file = new URL(`../../../docs/reference/${page}.md`, import.meta.url);
    const text = readFileSync(file, "utf8");
    expect(names).not.toHaveLength(0);
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
