import { expect, test } from "vitest";
import { ALL, ANY_ID, flowRun, OTHER_ID, pairs, verdicts } from "../../../testing/rule-tests.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
} from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { fenceForcedClaimant as rule } from "./fence-forced-claimant.ts";

const mine = { state_details: { claim_id: ANY_ID } };
const theirs = { state_details: { claim_id: OTHER_ID } };

test("a claimant whose run went to another cannot force it, also not when it has ended", async () => {
  const proposed = mine;
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, initial: theirs, proposed }))).toEqual(
    pairs(ALL, ALL, "ABORT"),
  );
});

test("nor can one whose run is offered again", async () => {
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, proposed: mine }))).toEqual(
    pairs(["SCHEDULED"], ALL, "ABORT"),
  );
});

test("who holds the claim, or names none, is let pass", async () => {
  expect(
    await verdicts(rule, (pair) => flowRun({ ...pair, initial: mine, proposed: mine })),
  ).toEqual({});
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, initial: mine }))).toEqual({});
  expect(await verdicts(rule, flowRun)).toEqual({});
});

describeEachApi("the forced end of a run", (open) => {
  test("is not taken from a process whose claim has lapsed", async () => {
    await using api = await open();
    const [id = ""] = await createRunsOf(api, await createTestDeployment(api, {}));
    const claim = async (): Promise<unknown> =>
      (await proposeFlow(api, id, "PENDING")).state?.state_details["claim_id"];
    const first = await claim();
    await proposeFlow(api, id, "SCHEDULED", { force: true });
    const second = await claim();
    expect(second).not.toBe(first);
    const failed = (claim_id: unknown) =>
      proposeFlow(api, id, { type: "FAILED", state_details: { claim_id } }, { force: true });
    expect(await failed(first)).toMatchObject({ status: "ABORT" });
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state_type: "PENDING" });
    expect(await failed(second)).toMatchObject({ status: "ACCEPT" });
    expect(await failed(first)).toMatchObject({ status: "ABORT" });
    expect(await failed(null)).toMatchObject({ status: "ACCEPT" });
  });
});
