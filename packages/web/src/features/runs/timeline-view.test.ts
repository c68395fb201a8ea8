import { expect, test } from "vitest";
import { around, moved, WHOLE, zoomed } from "./timeline-view.ts";

test("zooming keeps what is under the pointer where it is", () => {
  const view = zoomed(WHOLE, 0.5, 0.25);
  expect(view).toEqual({ from: 0.125, to: 0.625 });
  expect(view.from + (view.to - view.from) * 0.25).toBeCloseTo(0.25);
});

test("nobody leaves the run, however far they zoom or move", () => {
  expect(zoomed(WHOLE, 4)).toEqual(WHOLE);
  expect(moved({ from: 0.5, to: 0.75 }, 10)).toEqual({ from: 0.75, to: 1 });
  expect(moved({ from: 0.5, to: 0.75 }, -10)).toEqual({ from: 0, to: 0.25 });
  const { from, to } = zoomed(WHOLE, 0);
  expect(to).toBeGreaterThan(from);
});

test("rows are shown whole, with a little room", () => {
  const { from, to } = around([
    { left: 0.4, width: 0.1 },
    { left: 0.45, width: 0.15 },
  ]);
  expect(from).toBeCloseTo(0.396);
  expect(to).toBeCloseTo(0.604);
  expect(around([])).toEqual(WHOLE);
  expect(around([{ left: 0, width: 1 }])).toEqual(WHOLE);
});
