// Links that lead into one of several workspaces, in a real browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import {
  type AccountsServer,
  heading,
  signInByKey,
  startAccountsServer,
} from "./accounts-server.ts";
import { hasBrowser, openBrowser, openPage } from "./open-page.ts";

interface Told {
  readonly parameters: { readonly link: string };
}

describe.skipIf(!hasBrowser)("a person with several workspaces", () => {
  let browser: Browser;
  let server: AccountsServer;
  beforeAll(async () => {
    browser = await openBrowser();
    server = await startAccountsServer();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test("is led by the link of an automation into the workspace it is about", async () => {
    const account = `/accounts/${server.accountId}/workspaces`;
    const shop = await server.ask("POST", account, { name: "Linked", handle: "linked" });
    const place = `${account}/${shop.body["id"]}`;
    const make = async (path: string, body: unknown) => {
      const answer = await server.ask("POST", `${place}${path}`, body);
      expect(answer.status, path).toBeLessThan(300);
      return answer.body;
    };
    const flow_id = (await make("/flows/", { name: "orders" }))["id"];
    const run = await make("/flow_runs/", { name: "lost-parcel", flow_id });
    const deployment = await make("/deployments/", { name: "tell", flow_id });
    await make("/automations/", {
      name: "Keep the link",
      trigger: { type: "event", posture: "Reactive", expect: ["parcel.lost"], threshold: 1 },
      actions: [
        {
          type: "run-deployment",
          source: "selected",
          deployment_id: deployment["id"],
          parameters: { link: "{{ event.resource|ui_url }}" },
        },
      ],
    });
    const resource = { "orchestrator.resource.id": `orchestrator.flow-run.${run["id"]}` };
    const occurred = new Date().toISOString();
    await make("/events", [{ id: crypto.randomUUID(), occurred, event: "parcel.lost", resource }]);
    const link = await until(async () => {
      const of = { deployments: { id: { any_: [deployment["id"]] } } };
      const found = (await make("/flow_runs/filter", of)) as unknown as readonly Told[];
      expect(found).toHaveLength(1);
      return found[0]?.parameters.link ?? "";
    });

    // Whoever follows it was in another workspace before.
    await using watched = await openPage(browser, `${server.url}/runs`);
    const { page, complaints } = watched;
    await signInByKey(page, server.key);
    await heading(page, "Runs").waitFor();
    expect(page.url()).not.toContain(place);
    await page.goto(`${server.url}${link}`);
    await heading(page, "lost-parcel").waitFor();
    expect(link).toBe(`${place}/runs/flow-run/${run["id"]}`);
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });
});
