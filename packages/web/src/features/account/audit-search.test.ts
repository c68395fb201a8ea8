import { expect, test } from "vitest";
import { readAuditSearch, selectionOf } from "./audit-search.ts";

const NOW = Date.parse("2026-11-15T12:34:56Z");

test("the address of the audit log says what the server is asked for", () => {
  const search = readAuditSearch(
    new URLSearchParams("result=refused&actor=a1&operation=createVariable&resource=x&window=7&y=1"),
  );
  expect(selectionOf(search, NOW)).toEqual({
    result: "refused",
    actor_id: "a1",
    operation: "createVariable",
    resource_id: "x",
    since: "2026-11-08T12:00:00.000Z",
  });
});

test("what is empty or unknown in the address of the audit log narrows nothing", () => {
  const search = readAuditSearch(new URLSearchParams("result=maybe&window=soon&operation="));
  expect(selectionOf(search, NOW)).toEqual({});
  expect(selectionOf({}, NOW)).toEqual({});
});
