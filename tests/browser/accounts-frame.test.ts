// What holds for pages where everybody signs in: who they are is asked for besides all else.
import { describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { heading } from "./accounts-server.ts";
import { fillServer, makeAt } from "./fill.ts";
import { fillCompany } from "./fill-company.ts";
import { fillRichRuns } from "./fill-rich.ts";
import { hasBrowser } from "./open-page.ts";
import { pagesOfRuns } from "./page-list.ts";
import { opensOf } from "./recorded-requests.ts";
import { sharedAccounts } from "./shared-place.ts";

const MOST_REQUESTS = 6;
const SESSION = "/api/me/access";

describe.skipIf(!hasBrowser)("the pages about runs, with accounts,", () => {
  const place = sharedAccounts();

  test("asks for little, together with who has signed in", async () => {
    const { url, key } = place.server;
    const make = makeAt(url, key);
    const filled = await fillServer(url, make);
    await fillCompany(make, filled);
    const rich = await fillRichRuns(make, filled.flow.id);
    // What changes while a page is opened would be counted as what it takes.
    await retryUntil(async () =>
      expect(await make("/ui/flow_runs/troubles", {})).toMatchObject({
        failed: expect.arrayContaining([expect.anything()]),
        late: expect.arrayContaining([expect.anything()]),
      }),
    );
    await using watched = await place.openAsOwner("/dashboard");
    const { page } = watched;
    await heading(page, "Dashboard").waitFor();
    const opens = opensOf(page);
    const findings: object[] = [];
    for (const path of ["/dashboard", "/runs", ...pagesOfRuns(filled), ...rich]) {
      const { requests } = await opens(`${url}${path}`);
      if (requests.length > MOST_REQUESTS) findings.push({ path, requests });
      if (path === "/dashboard") expect(requests.join(" ")).toContain(SESSION);
    }
    expect(findings).toEqual([]);
  });
});
