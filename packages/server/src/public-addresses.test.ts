// What asks nobody who they are is there for every workspace.
import { expect, test, vi } from "vitest";
import { pathIn, requestIn } from "./testing/planted-workspace.ts";
import { describeEachServer } from "./testing/shared-server.ts";
import { anotherAccount, anotherWorkspace } from "./testing/tenants.ts";

const PATIENCE = { timeout: 25_000, interval: 100 };
const prefix = ({ accountId, workspaceId }: { accountId: string; workspaceId: string }) =>
  `/uptime/accounts/${accountId}/workspaces/${workspaceId}`;

describeEachServer("without a key", (shared) => {
  test("the published pages and badges of every workspace are seen below its address", async () => {
    // Addresses without a workspace mean the first.
    const server = shared.firstAccount();
    const { call, accountId } = server;
    const second = await anotherWorkspace(server, "second");
    const other = await anotherAccount(server);
    const first = { key: server.ownerKey, accountId, workspaceId: server.workspaceId };
    const monitors = new Map<object, string>();
    for (const home of [first, second]) {
      const ask = requestIn(server, home);
      const name = home === first ? "of the first" : "of the second";
      const monitor = await ask("POST", "/uptime/api/monitors", {
        name,
        url: "http://127.0.0.1:9",
        pipeline: [{ type: "http" }],
        interval: 3600,
        enabled: false,
      });
      const { id } = monitor.body as { readonly id: string };
      monitors.set(home, id);
      const page = { slug: "shop", title: `Page ${name}`, published: true };
      const groups = [{ name: "All", monitors: [{ id }] }];
      expect((await ask("POST", "/uptime/api/status-pages", { ...page, groups })).status).toBe(201);
    }
    const own = `${prefix(second)}/status/shop`;
    const page = await call("GET", own);
    expect(page).toMatchObject({
      status: 200,
      body: expect.stringContaining("Page of the second"),
    });
    expect(page.body).toContain(`href="${own}/rss.xml"`);
    expect(await call("GET", `${own}/rss.xml`)).toMatchObject({
      status: 200,
      body: expect.stringContaining(`${own}</link>`),
    });
    for (const path of ["/uptime/status/shop", `${prefix(first)}/status/shop`])
      expect((await call("GET", path)).body).toContain("Page of the first");
    expect(
      (await call("GET", pathIn(second, "/uptime/api/status-pages/shop/public"))).body,
    ).toMatchObject({
      title: "Page of the second",
    });
    for (const nowhere of [prefix(other), prefix({ ...second, accountId: other.accountId })])
      for (const path of ["/status/shop", "/status/shop/rss.xml"])
        expect((await call("GET", nowhere + path)).status).toBe(404);

    const badge = (at: string, home: object) =>
      call("GET", `${at}/badges/${monitors.get(home)}/status.svg`);
    for (const home of [first, second]) {
      expect((await badge("/uptime", home)).status).toBe(200);
      expect((await badge(prefix(home), home)).status).toBe(200);
    }
    expect((await badge(prefix(first), second)).status).toBe(404);
    expect((await badge(prefix(other), second)).status).toBe(404);
  });

  test("heartbeats and webhooks of every workspace are heard", async () => {
    const server = await shared.account();
    const { call } = server;
    const home = await anotherAccount(server);
    const ask = requestIn(server, home);
    const monitor = await ask("POST", "/uptime/api/monitors", {
      name: "backup",
      url: "http://127.0.0.1:9",
      pipeline: [{ type: "heartbeat", period: 86_400 }],
      interval: 3600,
    });
    const { id, pipeline } = monitor.body as {
      readonly id: string;
      readonly pipeline: readonly { readonly token: string }[];
    };
    const path = `/uptime/api/heartbeat/${pipeline[0]?.token}`;
    expect((await call("POST", pathIn(home, path))).status).toBe(200);
    await vi.waitFor(async () => {
      await ask("POST", `/uptime/api/monitors/${id}/check`);
      expect((await ask("GET", `/uptime/api/monitors/${id}/results?limit=1`)).body).toMatchObject([
        { details: { heartbeat: { last_call: expect.any(String) } } },
      ]);
    }, PATIENCE);

    const made = await ask("POST", "/api/webhooks/", {
      name: "shop",
      template: '{"event":"x.ordered","resource":{"prefect.resource.id":"order"}}',
    });
    const { token } = made.body as { readonly token: string };
    for (const address of [`/api/webhooks/${token}`, pathIn(home, `/api/webhooks/${token}`)])
      expect((await call("POST", address, { body: {} })).status).toBeLessThan(300);
    const filter = { filter: { event: { name: ["x.ordered"] } } };
    expect(await ask("POST", "/api/events/filter", filter)).toMatchObject({ body: { total: 2 } });
    const first = await call("POST", "/api/events/filter", { key: server.ownerKey, body: filter });
    expect(first).toMatchObject({ body: { total: 0 } });
  });
});
