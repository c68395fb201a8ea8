// Results in a store that several machines share.
import { flow, task } from "@orchestrator/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { STORE_KEY, STORE_SECRET, startObjectStore } from "../support/object-store.ts";
import { type SdkServer, sdkServer } from "./support.ts";

afterEach(() => vi.unstubAllEnvs());

async function addBlock({ client }: SdkServer, name: string, data: object): Promise<string> {
  const { id } = await client.blockTypes.readBySlug("remote-file-system");
  await client.blockDocuments.create({ name, block_type_id: id, data: data as never });
  return `remote-file-system/${name}`;
}

/** A flow with one dear task, and how often that was done. */
function dearFlow(resultStorage: string) {
  const done = { times: 0 };
  const options = { name: "dear", cacheKey: "dear", resultStorage };
  const dear = task(options, () => ({ made: ++done.times, when: new Date(5) }));
  return { done, run: flow({ name: "load" }, () => dear()) };
}

test("results are kept in the bucket that a block names, and found there again", async () => {
  await using server = await sdkServer();
  await using store = await startObjectStore("results");
  const block = await addBlock(server, "bucket", {
    basepath: "s3://results/of the team/",
    settings: {
      key: STORE_KEY,
      secret: STORE_SECRET,
      client_kwargs: { endpoint_url: store.url, region_name: "eu-west-1" },
    },
  });
  const { done, run } = dearFlow(block);
  expect(await run()).toEqual({ made: 1, when: new Date(5) });
  expect(await run()).toEqual({ made: 1, when: new Date(5) });
  expect(done.times).toBe(1);
  expect([...store.objects.keys()]).toEqual([
    expect.stringMatching(/^of the team\/cache-[\da-f]{64}$/),
  ]);
});

test("what the block does not say comes from the environment, and a store that stumbles is asked again", async () => {
  await using server = await sdkServer();
  await using store = await startObjectStore("results");
  const block = await addBlock(server, "plain", { basepath: "s3://results", settings: {} });
  vi.stubEnv("AWS_ACCESS_KEY_ID", STORE_KEY);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", STORE_SECRET);
  vi.stubEnv("AWS_ENDPOINT_URL_S3", store.url);
  store.refuse(503, 2);
  const { run } = dearFlow(block);
  expect(await run()).toMatchObject({ made: 1 });
  expect(await run()).toMatchObject({ made: 1 });
  expect(store.objects.size).toBe(1);
  expect(store.asked()).toBe(5);
});

test("a store that refuses, or a block that says too little, is told with what to do", async () => {
  await using server = await sdkServer();
  await using store = await startObjectStore("results");
  const settings = { key: STORE_KEY, secret: "another", endpoint_url: store.url };
  const wrong = await addBlock(server, "wrong", { basepath: "s3://results/", settings });
  await expect(dearFlow(wrong).run()).rejects.toThrow(/s3:\/\/results\/cache-.*403 No403/);
  const nobody = await addBlock(server, "nobody", { basepath: "s3://results/", settings: {} });
  vi.stubEnv("AWS_ACCESS_KEY_ID", "");
  await expect(dearFlow(nobody).run()).rejects.toThrow("AWS_ACCESS_KEY_ID");
  const elsewhere = await addBlock(server, "elsewhere", { basepath: "gs://results", settings: {} });
  await expect(dearFlow(elsewhere).run()).rejects.toThrow("s3://bucket/folder");
  expect(store.objects.size).toBe(0);
});
