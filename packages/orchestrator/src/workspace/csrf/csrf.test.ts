import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

const ON = { settings: { csrfProtectionEnabled: true } };

interface Token {
  readonly token: string;
  readonly expiration: string;
}

async function issue(api: TestApi, client: string): Promise<Token> {
  const answer = await api.get(`/csrf-token?client=${client}`);
  expect(answer.status).toBe(200);
  return answer.body as Token;
}

function create(api: TestApi, headers: Readonly<Record<string, string>>) {
  return api.request("POST", "/variables/", { body: { name: "x", value: 1 }, headers });
}

describeEachApi("tokens against cross-site requests", (open) => {
  test("are not issued while protection is off", async () => {
    await using api = await open();
    expect(await api.get("/csrf-token?client=me")).toMatchObject({
      status: 422,
      body: { detail: "CSRF protection is disabled." },
    });
  });

  test("need a client's name", async () => {
    await using api = await open(ON);
    expect(await api.get("/csrf-token")).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["query", "client"], type: "missing" }] },
    });
  });

  test("let a change through and are asked for by no reading request", async () => {
    await using api = await open(ON);
    const { token } = await issue(api, "me");
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const headers = { "orchestrator-csrf-token": token, "orchestrator-csrf-client": "me" };
    expect(await create(api, headers)).toMatchObject({ status: 201 });
    expect(await api.get("/variables/name/x")).toMatchObject({ status: 200 });
  });

  test("are missed, in this order: token, client, match", async () => {
    await using api = await open(ON);
    const { token } = await issue(api, "me");
    expect(await create(api, {})).toMatchObject({
      status: 403,
      body: { detail: "Missing CSRF token." },
    });
    expect(await create(api, { "orchestrator-csrf-token": token })).toMatchObject({
      status: 403,
      body: { detail: "Missing CSRF client identifier." },
    });
    for (const [used, client] of [
      [token, "you"],
      ["0".repeat(64), "me"],
    ] as const) {
      const headers = { "orchestrator-csrf-token": used, "orchestrator-csrf-client": client };
      expect(await create(api, headers)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining("Invalid CSRF token") },
      });
    }
    expect(await api.post("/variables/count")).toMatchObject({ status: 403 });
  });

  test("are replaced when a client asks again", async () => {
    await using api = await open(ON);
    const first = await issue(api, "me");
    const second = await issue(api, "me");
    const headers = (token: string) => ({
      "orchestrator-csrf-token": token,
      "orchestrator-csrf-client": "me",
    });
    expect(await create(api, headers(first.token))).toMatchObject({ status: 403 });
    expect(await create(api, headers(second.token))).toMatchObject({ status: 201 });
  });

  test("run out", async () => {
    await using api = await open({ settings: { ...ON.settings, csrfTokenLifetime: -1 } });
    const { token } = await issue(api, "me");
    const headers = { "orchestrator-csrf-token": token, "orchestrator-csrf-client": "me" };
    expect(await create(api, headers)).toMatchObject({ status: 403 });
  });

  test("travel in the headers of the dialect", async () => {
    await using api = await open({ ...ON, dialect: "prefect" });
    const { token } = await issue(api, "me");
    const headers = { "prefect-csrf-token": token, "prefect-csrf-client": "me" };
    expect(await create(api, headers)).toMatchObject({ status: 201 });
  });
});
