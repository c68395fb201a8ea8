import { expect, test } from "vitest";
import { decide, flowRun, later, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { copyScheduledTime } from "./copy-scheduled-time.ts";

const due = { state_details: { scheduled_time: later(60) } };

test("a claimed run still knows for when it was scheduled", async () => {
  expect(await verdicts(copyScheduledTime, (pair) => flowRun({ ...pair, initial: due }))).toEqual(
    pairs(["SCHEDULED"], ["PENDING"], "CHANGE"),
  );
  const { state } = await decide(
    copyScheduledTime,
    flowRun({ from: "SCHEDULED", to: "PENDING", initial: due }),
  );
  expect(state).toMatchObject(due);
});

test("a time that is proposed stays", async () => {
  const proposed = { state_details: { scheduled_time: later(90) } };
  expect(
    await verdicts(copyScheduledTime, (pair) => flowRun({ ...pair, initial: due, proposed })),
  ).toEqual({});
});
