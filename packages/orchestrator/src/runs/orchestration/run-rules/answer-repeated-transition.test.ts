import { expect, test } from "vitest";
import {
  ALL,
  ANY_ID,
  decide,
  flowRun,
  OTHER_ID,
  pairs,
  verdicts,
} from "../../../testing/rule-tests.ts";
import { answerRepeatedTransition as rule } from "./answer-repeated-transition.ts";

const sent = { state_details: { transition_id: ANY_ID } };

test("a request that is sent again gets the answer of the first one, whatever the states are", async () => {
  const again = await verdicts(rule, (pair) => flowRun({ ...pair, initial: sent, proposed: sent }));
  const sameType = Object.assign({}, ...ALL.map((type) => pairs([type], [type], "ACCEPT")));
  expect(again).toEqual({ ...pairs(ALL, ALL, "REJECT"), ...sameType });
});

test("nothing is written a second time", async () => {
  const outcome = await decide(
    rule,
    flowRun({ from: "RUNNING", to: "RUNNING", initial: sent, proposed: sent }),
  );
  expect(outcome).toMatchObject({ status: "ACCEPT", state: null, reason: null });
});

test("requests with other ids, or with none, are new", async () => {
  const other = { state_details: { transition_id: OTHER_ID } };
  for (const [initial, proposed] of [
    [sent, other],
    [sent, {}],
    [{}, sent],
    [{}, {}],
  ]) {
    expect(
      await verdicts(rule, (pair) =>
        flowRun({ ...pair, ...(initial && { initial }), ...(proposed && { proposed }) }),
      ),
    ).toEqual({});
  }
});
