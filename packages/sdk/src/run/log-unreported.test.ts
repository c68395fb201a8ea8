import { afterEach, expect, test, vi } from "vitest";
import { CancelledError, errorDetails } from "../errors.ts";
import { logUnreported } from "./log-unreported.ts";

afterEach(() => vi.restoreAllMocks());

test("what ended a run is said once: by the run, or else here", () => {
  const printed: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const told = new Error("in the flow");
  errorDetails(told);
  logUnreported("brave-otter", told);
  logUnreported("brave-otter", new CancelledError("The run was cancelled"));
  expect(printed).toEqual([]);
  logUnreported("brave-otter", new Error("The disk is full"));
  expect(printed.join("")).toContain("brave-otter was given up: Error: The disk is full");
});
