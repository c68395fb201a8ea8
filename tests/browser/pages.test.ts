// Every page of the web UI in a real browser, with nothing to show and with something.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersInBothThemes } from "./barriers.ts";
import { hasBrowser, type WatchedPage } from "./open-page.ts";
import { PAGES } from "./page-list.ts";
import { sharedPlace, startEmptyServer, startFilledServer } from "./shared-place.ts";

const SERVERS = [
  ["empty", startEmptyServer],
  ["full", startFilledServer],
] as const;

describe.skipIf(!hasBrowser).each(SERVERS)("the web UI of a server that is %s", (_, start) => {
  const place = sharedPlace<Awaited<ReturnType<typeof start>>>(() => start());
  let watched: WatchedPage;
  beforeAll(async () => {
    watched = await place.open("/settings");
  });
  afterAll(() => watched[Symbol.asyncDispose]());

  test.each(PAGES)(
    "renders %s without console errors or axe violations (light, dark)",
    async (path) => {
      const { page, complaints } = watched;
      const before = complaints.length;
      await page.goto(`${place.server.url}${path}`);
      expect(await barriersInBothThemes(page)).toEqual([]);
      expect(complaints.slice(before)).toEqual([]);
    },
  );
});
