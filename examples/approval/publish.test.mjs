import assert from "node:assert/strict";
import { test } from "node:test";
import { fake, testFlow } from "@orchestrator/sdk/testing";
import { publish } from "./publish.mjs";

const fakes = [fake("send", () => {})];

await test("an approved newsletter is sent", async () => {
  const answers = [{ approved: true }];
  const run = await testFlow(publish, { topic: "Winter" }, { fakes, answers });
  assert.equal(run.value, "published");
  assert.match(run.questions[0]?.description ?? "", /Winter/);
  assert.equal(run.calls("send").length, 1);
});

await test("a refused newsletter is kept back, with the comment", async () => {
  const answers = [{ approved: false, comment: "too short" }];
  const run = await testFlow(publish, {}, { fakes, answers });
  assert.equal(run.value, "kept back: too short");
  assert.deepEqual(run.calls("send"), []);
});

await test("without an answer the run fails after an hour, which takes the test no time", async () => {
  const run = await testFlow(publish, {}, { fakes });
  assert.equal(run.error?.name, "PauseTimeoutError");
  assert.equal(run.seconds, 3600);
});

await test("a run that is killed before it sends does not write the draft again", async () => {
  const options = { fakes, answers: [{ approved: true }] };
  const killed = await testFlow(
    publish,
    {},
    { ...options, killAt: { at: "send", when: "before" } },
  );
  assert.equal(killed.state.name, "Killed");
  const run = await killed.resume();
  assert.equal(run.value, "published");
  assert.equal(run.calls("write").length, 1);
});
