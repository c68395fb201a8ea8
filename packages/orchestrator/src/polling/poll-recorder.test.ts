import { expect, test } from "vitest";
import { PollRecorder } from "./poll-recorder.ts";

const EARLIER = "2026-11-14T09:00:00.000000Z";
const LATER = "2026-11-14T09:00:05.000000Z";
const W = "w";

const queuesOf = (recorder: PollRecorder) => [...(recorder.take().get(W)?.queues ?? [])];

test("keeps the latest of many polls of a queue, whatever the order", () => {
  const recorder = new PollRecorder();
  for (const at of [EARLIER, LATER, EARLIER]) recorder.record(W, { queueIds: ["q"], at });
  expect(queuesOf(recorder)).toEqual([["q", LATER]]);
});

test("hands out each poll once", () => {
  const recorder = new PollRecorder();
  recorder.record(W, { deploymentIds: ["d"], at: EARLIER });
  expect([...(recorder.take().get(W)?.deployments ?? [])]).toEqual([["d", EARLIER]]);
  expect(recorder.take().size).toBe(0);
});

test("takes polls back that could not be written, without losing later ones", () => {
  const recorder = new PollRecorder();
  recorder.record(W, { queueIds: ["a", "b"], at: EARLIER });
  const taken = recorder.take().get(W);
  recorder.record(W, { queueIds: ["a"], at: LATER });
  if (taken !== undefined) recorder.putBack(W, taken);
  expect(queuesOf(recorder)).toEqual([
    ["a", LATER],
    ["b", EARLIER],
  ]);
});
