import { expect, test } from "vitest";
import { decide, later, pairs, taskRun, verdicts } from "../../testing/rule-tests.ts";
import { copyScheduledTime } from "./copy-scheduled-time.ts";

const due = { state_details: { scheduled_time: later(60) } };

test("a task run that was taken still knows for when it was scheduled", async () => {
  expect(await verdicts(copyScheduledTime, (pair) => taskRun({ ...pair, initial: due }))).toEqual(
    pairs(["SCHEDULED"], ["PENDING"], "CHANGE"),
  );
  const { state } = await decide(
    copyScheduledTime,
    taskRun({ from: "SCHEDULED", to: "PENDING", initial: due }),
  );
  expect(state).toMatchObject(due);
});

test("a time that is proposed stays", async () => {
  const proposed = { state_details: { scheduled_time: later(90) } };
  expect(
    await verdicts(copyScheduledTime, (pair) => taskRun({ ...pair, initial: due, proposed })),
  ).toEqual({});
});
