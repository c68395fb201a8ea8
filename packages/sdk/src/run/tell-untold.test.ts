import { afterEach, expect, test, vi } from "vitest";
import { CancelledError, tellError } from "../errors.ts";
import { tellUntold } from "./tell-untold.ts";

afterEach(() => vi.restoreAllMocks());

test("what ended a run is said once: by the run, or else here", () => {
  const printed: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  const told = new Error("in the flow");
  tellError(told);
  tellUntold("brave-otter", told);
  tellUntold("brave-otter", new CancelledError("The run was cancelled"));
  expect(printed).toEqual([]);
  tellUntold("brave-otter", new Error("The disk is full"));
  expect(printed.join("")).toContain("brave-otter was given up: Error: The disk is full");
});
