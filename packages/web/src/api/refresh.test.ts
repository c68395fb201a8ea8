import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { pauseAfterMs, refreshStale } from "./refresh.ts";

/** Something that is shown, whose answers come when the test gives them. */
function shown(queries: QueryClient, queryKey: readonly string[]) {
  const answers: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(queries, { queryKey, queryFn });
  onTestFinished(observer.subscribe(() => {}));
  return {
    asked: () => answers.length,
    answer: (text: string) => answers.at(-1)?.(text),
    text: () => observer.getCurrentResult().data,
  };
}

test("what changes while it is being asked for is asked for once more", async () => {
  const queries = new QueryClient();
  const variables = shown(queries, ["variables", "all"]);
  const stale = new Set(["variables"]);
  const joined = refreshStale(queries, stale);
  variables.answer("before the change");
  await joined;
  expect(variables.asked()).toBe(1);
  const anew = refreshStale(queries, stale);
  expect(variables.asked()).toBe(2);
  variables.answer("after the change");
  await anew;
  expect(variables.text()).toBe("after the change");
  expect([...stale]).toEqual([]);
});

test("what is not shown, or is of another kind, is not asked for again because of it", async () => {
  const queries = new QueryClient();
  const variables = shown(queries, ["variables", "all"]);
  variables.answer("all of them");
  await expect.poll(variables.text).toBe("all of them");
  const flows = shown(queries, ["flows", "all"]);
  void queries.prefetchQuery({
    queryKey: ["variables", "one"],
    queryFn: () => new Promise(() => {}),
  });
  const stale = new Set(["variables"]);
  const refreshed = refreshStale(queries, stale);
  expect([variables.asked(), flows.asked()]).toEqual([2, 1]);
  variables.answer("all of them now");
  await refreshed;
  expect([...stale]).toEqual([]);
});

test.each([
  [0, 1000],
  [50, 1000],
  [1000, 9000],
  [120_000, 30_000],
])("after answers that took %i ms the next are asked for in %i ms", (took, pause) => {
  expect(pauseAfterMs(took)).toBe(pause);
});
