// Links that lead into one of several workspaces, in a real browser.
import { describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { heading, signInByKey } from "./accounts-server.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedAccounts } from "./shared-place.ts";

interface LinkedRun {
  readonly parameters: { readonly link: string };
}

describe.skipIf(!hasBrowser)("a person with several workspaces", () => {
  const place = sharedAccounts();

  test("is led by the link of an automation into the workspace it is about", async () => {
    const account = `/accounts/${place.server.accountId}/workspaces`;
    const shop = await place.server.ask("POST", account, { name: "Linked", handle: "linked" });
    const inShop = `${account}/${shop.body["id"]}`;
    const make = async (path: string, body: unknown) => {
      const answer = await place.server.ask("POST", `${inShop}${path}`, body);
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
    const link = await retryUntil(async () => {
      const of = { deployments: { id: { any_: [deployment["id"]] } } };
      const found = (await make("/flow_runs/filter", of)) as unknown as readonly LinkedRun[];
      expect(found).toHaveLength(1);
      return found[0]?.parameters.link ?? "";
    });

    // Whoever follows it was in another workspace before.
    await using watched = await place.open("/runs");
    const { page, complaints } = watched;
    await signInByKey(page, place.server.key);
    await heading(page, "Runs").waitFor();
    expect(page.url()).not.toContain(inShop);
    await page.goto(`${place.server.url}${link}`);
    await heading(page, "lost-parcel").waitFor();
    expect(link).toBe(`${inShop}/runs/flow-run/${run["id"]}`);
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });
});
