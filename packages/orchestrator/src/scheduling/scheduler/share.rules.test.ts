import { expect, test } from "vitest";
import { shareOut } from "./share.rules.ts";

const wanting = (name: string, dates: readonly number[]) => ({
  name,
  filledUntil: 5,
  passedOver: null as number | null,
  filled: {
    times: dates.map((date) => ({ date, at: date + 1 })),
    filledUntil: dates.at(-1) ?? 5,
    due: 1000,
  },
});

const AGAIN = 70;

test("schedules that want no more than is left get all of it", () => {
  const items = [wanting("a", [10, 20]), wanting("b", [15])];
  expect(shareOut(items, { left: 3, again: AGAIN })).toEqual(items);
});

test("the earliest times are made into runs, whichever schedule they belong to", () => {
  const shared = shareOut([wanting("a", [10, 20, 30]), wanting("b", [15])], {
    left: 2,
    again: AGAIN,
  });
  expect(shared).toMatchObject([
    { name: "a", filled: { times: [{ date: 10, at: 11 }], filledUntil: 10, due: AGAIN } },
    { name: "b", filled: { times: [{ date: 15 }], filledUntil: 15, due: 1000 } },
  ]);
});

test("a schedule that gets nothing stays where it was, and is looked at again", () => {
  const shared = shareOut([wanting("a", [10]), wanting("idle", [])], { left: 0, again: AGAIN });
  expect(shared).toMatchObject([
    { filled: { times: [], filledUntil: 5, due: AGAIN } },
    { filled: { times: [], due: 1000 } },
  ]);
});

test("a schedule that gets a time from before stays as far as it was", () => {
  const [shared] = shareOut([wanting("spread", [3, 4, 10])], { left: 1, again: AGAIN });
  expect(shared).toMatchObject({ filled: { times: [{ date: 3 }], filledUntil: 5, due: AGAIN } });
});

test("a schedule that makes up for nothing comes as far as it was looked at", () => {
  const item = { ...wanting("none", [10, 20]), passedOver: 8 };
  expect(shareOut([item], { left: 0, again: AGAIN })).toMatchObject([
    { filled: { times: [], filledUntil: 8, due: AGAIN } },
  ]);
  expect(shareOut([item], { left: 1, again: AGAIN })).toMatchObject([
    { filled: { times: [{ date: 10 }], filledUntil: 10, due: AGAIN } },
  ]);
});
