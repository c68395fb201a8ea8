import { AppError } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import type { RecordedFinding } from "./finding.ts";
import { ResultRecorder, type WriteFindings } from "./result-recorder.ts";

const finding = (monitorId: string, more: Partial<RecordedFinding> = {}): RecordedFinding => ({
  id: `result-of-${monitorId}`,
  workspaceId: "one",
  monitorId,
  outcome: anOutcome(),
  checkedAt: "2026-11-15T09:00:00.000000Z",
  trigger: "schedule",
  ...more,
});

function recorder(refuse: (findings: readonly RecordedFinding[]) => Error | null = () => null) {
  const written: string[][] = [];
  const repeated: boolean[] = [];
  const write: WriteFindings = async (_workspaceId, findings, isRepeated) => {
    const error = refuse(findings);
    repeated.push(isRepeated);
    if (error !== null) throw error;
    written.push(findings.map(({ monitorId }) => monitorId));
    return findings.map(() => null);
  };
  return { written, repeated, recorder: new ResultRecorder(write) };
}

test("results that come close together are written together, each workspace by itself", async () => {
  const { written, recorder: results } = recorder();
  await Promise.all([
    results.record(finding("a")),
    results.record(finding("b")),
    results.record(finding("x", { workspaceId: "two" })),
  ]);
  expect(written).toEqual([["a", "b"], ["x"]]);
});

test("a result that somebody waits for takes the others with it", async () => {
  const { written, recorder: results } = recorder();
  const others = Array.from({ length: 200 }, (_, n) => results.record(finding(String(n))));
  await Promise.all([...others, results.record(finding("asked", { trigger: "manual" }))]);
  expect(written.flat()).toHaveLength(201);
  expect(written.length).toBeLessThanOrEqual(2);
});

test("one that cannot be written takes no other with it", async () => {
  const { written, recorder: results } = recorder((findings) =>
    findings.some(({ monitorId }) => monitorId === "bad") ? new Error("no") : null,
  );
  const recorded = ["a", "bad", "b"].map((id) => results.record(finding(id)));
  const outcomes = await Promise.allSettled(recorded);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(written).toEqual([["a"], ["b"]]);
});

test("a database that is away for a moment costs no result", async () => {
  let refusals = 1;
  const {
    written,
    repeated,
    recorder: results,
  } = recorder(() => {
    refusals -= 1;
    return refusals >= 0 ? new AppError("unavailable", "Away") : null;
  });
  await Promise.all([results.record(finding("a")), results.record(finding("b"))]);
  expect(written).toEqual([["a", "b"]]);
  expect(repeated).toEqual([false, true]);
});
