import { expect, test } from "vitest";
import { apiDialect } from "../../dialect.ts";
import { createTestDeployment } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { runCreator } from "./run-creator.ts";

const ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const headers = { "prefect-automation-id": ID, "prefect-automation-name": base64("größer") };
const creator = { id: ID, type: "AUTOMATION", display_value: "größer" };

/** Where runs are made, and what each run there is said to be made by. */
async function creatorsOf(api: TestApi, given: Readonly<Record<string, string>>) {
  const deployment = await createTestDeployment(api, {});
  const { flow_id } = (await api.get(`/deployments/${deployment}`)).body as { flow_id: string };
  const requests: readonly (readonly [string, object])[] = [
    ["/flow_runs/", { flow_id }],
    [`/deployments/${deployment}/create_flow_run`, {}],
    [`/deployments/${deployment}/create_flow_run/bulk`, [{}]],
  ];
  const answers: unknown[] = [];
  for (const [path, body] of requests) {
    const answer = await api.request("POST", path, { headers: given, body });
    answers.push(answer.status < 300 ? await createdBy(api, answer.body) : answer.status);
  }
  return answers;
}

async function createdBy(api: TestApi, body: unknown): Promise<unknown> {
  const { id, results } = body as { id?: string; results?: { flow_run_id: string }[] };
  const answer = await api.get(`/flow_runs/${id ?? results?.[0]?.flow_run_id}`);
  return (answer.body as { created_by: unknown }).created_by;
}

describeEachApi("a run that is made for an automation", (open) => {
  test("names it in the dialect prefect, wherever it is made", async () => {
    await using api = await open({ dialect: "prefect" });
    expect(await creatorsOf(api, headers)).toEqual([creator, creator, creator]);
    const bad = { ...headers, "prefect-automation-id": "none" };
    expect(await creatorsOf(api, bad)).toEqual([422, 422, 422]);
  });

  test("names nobody in the own dialect", async () => {
    await using api = await open();
    expect(await creatorsOf(api, headers)).toEqual([null, null, null]);
  });
});

const prefect = apiDialect("prefect", "");

test.each(["", "a", "????", "_w==", Buffer.from([0xff]).toString("base64"), base64("a\0b")])(
  "the name %j of an automation can not be read",
  (name) => {
    const given = { ...headers, "prefect-automation-name": name };
    expect(runCreator(prefect, given)).toBeNull();
  },
);

test("an id without a name, or a name without an id, is nobody", () => {
  expect(runCreator(prefect, { "prefect-automation-id": ID })).toBeNull();
  expect(runCreator(prefect, { "prefect-automation-name": base64("a") })).toBeNull();
  expect(() => runCreator(prefect, { "prefect-automation-id": "" })).toThrow("invalid");
});
