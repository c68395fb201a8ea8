// What the server calls for its users, in mode accounts, where users do not run the machine.
import { startReceiver } from "@orchestrator/outbound/testing";
import { expect, test, vi } from "vitest";
import {
  type AccountsServer,
  accountsServer,
  describeEachEngine,
} from "./testing/guarded-server.ts";
import { recordId, WAIT_OPTIONS } from "./testing/running-server.ts";

interface Message {
  readonly status: string;
  readonly last_error: string | null;
}

/** The outcome of one notification and one webhook call to the same address. */
async function messagesTo(server: AccountsServer, url: string): Promise<readonly Message[]> {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await server.call(method, `/api${path}`, { key: server.ownerKey, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const aBlock = async (slug: string) => {
    const block_type_id = recordId(await call("GET", `/block_types/slug/${slug}`));
    const schemas = { block_schemas: { block_type_id: { any_: [block_type_id] } } };
    const [schema] = (await call("POST", "/block_schemas/filter", schemas)) as readonly unknown[];
    const block_schema_id = recordId(schema);
    const body = { name: slug, block_type_id, block_schema_id, data: { url } };
    return recordId(await call("POST", "/block_documents/", body));
  };
  const [chat, hook] = [await aBlock("slack-webhook"), await aBlock("webhook")];
  await call("POST", "/automations/", {
    name: "to a private address",
    trigger: { type: "event", posture: "Reactive", expect: ["order.placed"], threshold: 1 },
    actions: [
      { type: "send-notification", block_document_id: chat, subject: "Order", body: "Placed" },
      { type: "call-webhook", block_document_id: hook, payload: "{}" },
    ],
  });
  const resource = { "prefect.resource.id": "order.1" };
  const occurred = new Date().toISOString();
  await call("POST", "/events", [
    { id: crypto.randomUUID(), occurred, event: "order.placed", resource },
  ]);
  return vi.waitFor(async () => {
    const found = (await call("POST", "/automations/deliveries/filter", {})) as Message[];
    expect(found).toHaveLength(2);
    for (const { status } of found) expect(status).not.toBe("PENDING");
    return found;
  }, WAIT_OPTIONS);
}

interface Trial {
  readonly status: string;
  readonly message: string;
}

const PIPELINES = {
  http: () => ({ type: "http" }),
  tcp: (url: URL) => ({ type: "tcp", host: url.hostname, port: Number(url.port) }),
  tls: (url: URL) => ({ type: "tls", host: url.hostname, port: Number(url.port) }),
  ping: (url: URL) => ({ type: "ping", host: url.hostname, port: Number(url.port) }),
  dns: (url: URL) => ({ type: "dns", host: "a.example", server: url.host }),
};

async function trial(server: AccountsServer, url: string, check: object): Promise<Trial> {
  const answer = await server.call("POST", "/uptime/api/checks/try", {
    key: server.ownerKey,
    body: { url, pipeline: [{ retries: 0, ...check }] },
  });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Trial;
}

describeEachEngine("a server with accounts", (engine) => {
  test("calls no private target, and says which setting allows it and what else reaches it", async () => {
    await using receiver = await startReceiver();
    await using server = await accountsServer(engine);
    for (const [type, check] of Object.entries(PIPELINES)) {
      const { status, message } = await trial(server, receiver.url, check(new URL(receiver.url)));
      expect(status, type).toBe("down");
      expect(message, type).toMatch(/loopback address, and those are not allowed/);
      expect(message, type).toMatch(/UPTIME_PROBE_ALLOWED_HOSTS.*UPTIME_PROBE_POLICY/);
      expect(message, type).toMatch(/heartbeat/);
    }
    const messages = await messagesTo(server, receiver.url);
    for (const { status, last_error } of messages) {
      expect(status).toBe("FAILED");
      expect(last_error).toMatch(/loopback address, and those are not allowed/);
      expect(last_error).toMatch(
        /ORCHESTRATOR_DELIVERIES_ALLOWED_HOSTS.*ORCHESTRATOR_DELIVERIES_ALLOW_PRIVATE/,
      );
      expect(last_error).toMatch(/worker/);
    }
    expect(receiver.requests).toEqual([]);
  });

  test.each([
    {
      title: "all private targets",
      env: { UPTIME_PROBE_POLICY: "private-ok", ORCHESTRATOR_DELIVERIES_ALLOW_PRIVATE: "true" },
    },
    {
      title: "ranges of addresses",
      env: {
        UPTIME_PROBE_ALLOWED_HOSTS: "10.9.0.0/16,127.0.0.0/8",
        ORCHESTRATOR_DELIVERIES_ALLOWED_HOSTS: "10.9.0.0/16,127.0.0.0/8",
      },
    },
  ])("calls private targets where the operator allows $title", async ({ env }) => {
    await using receiver = await startReceiver();
    await using server = await accountsServer(engine, env);
    expect(await trial(server, receiver.url, PIPELINES.http())).toMatchObject({ status: "up" });
    const messages = await messagesTo(server, receiver.url);
    expect(messages.map(({ status }) => status)).toEqual(["DELIVERED", "DELIVERED"]);
    expect(receiver.requests).toHaveLength(3);
  });
});
