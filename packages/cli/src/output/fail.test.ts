import { expect, onTestFinished, test, vi } from "vitest";
import { fail } from "./fail.ts";

test("what the server found wrong is told once each, also what its sentence leaves out", () => {
  const { exitCode } = process;
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    stderr.mockRestore();
    process.exitCode = exitCode;
  });
  const problems = ["a", "b", "c", "d"].map((field) => ({
    where: `body.${field}`,
    what: "Field required",
  }));
  const detail =
    "body.a: Field required; body.b: Field required; body.c: Field required, and 1 more";
  fail(Object.assign(new Error(), { name: "ApiError", status: 422, detail, problems }));
  expect(stderr.mock.calls).toEqual([[`orchestrator: ${detail}\n  body.d: Field required\n`]]);
});
