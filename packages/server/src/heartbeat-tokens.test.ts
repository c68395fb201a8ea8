// Made of the documents of the server: a new operation is tried as soon as it is described.
import { expect, test } from "vitest";
import { documentedOperations, forEachOperation } from "./testing/documented-operations.ts";
import { accountsServer, describeEachEngine } from "./testing/guarded-server.ts";
import { plant, requestIn } from "./testing/planted-workspace.ts";
import { operationName, validRequest } from "./testing/strange-requests.ts";
import { createKeyOf } from "./testing/tenants.ts";

interface Shown {
  readonly pipeline: readonly { readonly type: string; readonly token?: string }[];
}

describeEachEngine("the token of a heartbeat", (engine) => {
  test("is shown to those who may change monitors, and to nobody else by any operation", async () => {
    await using server = await accountsServer(engine);
    const home = {
      accountId: server.accountId,
      workspaceId: server.workspaceId,
      key: server.ownerKey,
    };
    const planted = await plant(server, home, "own");
    const id = planted["heartbeat-monitor"] ?? "";
    const own = { ...planted, monitor: id };
    const path = `/uptime/api/monitors/${id}`;
    const { pipeline } = (await requestIn(server, home)("GET", path)).body as Shown;
    const token = pipeline[0]?.token ?? "";
    expect(token.length).toBeGreaterThan(20);

    const operations = (await documentedOperations(server)).filter(
      ({ isPublic, path: address }) => !isPublic && address.startsWith("/uptime/api/"),
    );
    expect(operations.length).toBeGreaterThan(40);
    const shownBy: string[] = [];
    for (const role of ["viewer", "runner"]) {
      const key = await createKeyOf(server, { role, name: role });
      await forEachOperation(operations, async (operation) => {
        const { method, path: address, body } = validRequest(operation, own);
        const answer = await server.call(method, address, {
          key,
          ...(body === undefined ? {} : { body }),
        });
        if (JSON.stringify(answer.body).includes(token))
          shownBy.push(`${operationName(operation)} as ${role}`);
      });
      const read = await server.call("GET", path, { key });
      expect(read.body).toMatchObject({ id, pipeline: [{ type: "heartbeat", period: 86_400 }] });
      const yaml = await server.call("GET", "/uptime/api/export?format=yaml", { key });
      expect(yaml.body).not.toContain(token);
      const events = await server.call("POST", "/api/events/filter", { key, body: {} });
      expect(JSON.stringify(events.body)).not.toContain(token);
    }
    expect(shownBy).toEqual([]);

    const developer = await createKeyOf(server, { role: "developer", name: "developer" });
    for (const address of [path, "/uptime/api/monitors", "/uptime/api/monitors/overview"]) {
      const { body } = await server.call("GET", address, { key: developer });
      expect(JSON.stringify(body), address).toContain(token);
    }
    expect((await server.call("POST", `/uptime/api/heartbeat/${token}`)).status).toBeLessThan(300);
  });
});
