import { expect, test } from "vitest";
import { SharedPolls } from "./shared-polls.ts";

/** Looks that are answered one by one, and up to which time each of them asked. */
function openLooks() {
  const looks = new SharedPolls();
  const asked: { before: string; answer: (isQuiet: boolean) => void; fail: () => void }[] = [];
  const poll = (before = "10") =>
    looks.look(
      "pool",
      before,
      (until) =>
        new Promise<{ isQuiet: boolean; until: string }>((resolve, reject) => {
          asked.push({
            before: until,
            answer: (isQuiet) => resolve({ isQuiet, until }),
            fail: () => reject(new Error("away")),
          });
        }),
    );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { poll, asked, turn };
}

async function openQuiet() {
  const looks = openLooks();
  const first = looks.poll();
  looks.asked[0]?.answer(true);
  await first;
  looks.asked.length = 0;
  return looks;
}

test("polls that come while one is answered look together, and only after it", async () => {
  const { poll, asked, turn } = await openQuiet();
  const polls = [poll("10"), poll("11"), poll("13"), poll("12")];
  await turn();
  expect(asked.map(({ before }) => before)).toEqual(["10"]);
  asked[0]?.answer(true);
  await turn();
  expect(asked.map(({ before }) => before)).toEqual(["10", "13"]);
  asked[1]?.answer(true);
  expect((await Promise.all(polls)).map(({ until }) => until)).toEqual(["10", "13", "13", "13"]);
});

test("a poll that comes when a shared look has begun is not answered by it", async () => {
  const { poll, asked, turn } = await openQuiet();
  const polls = [poll(), poll()];
  asked[0]?.answer(true);
  await turn();
  polls.push(poll());
  asked[1]?.answer(true);
  await turn();
  expect(asked).toHaveLength(3);
  asked[2]?.answer(true);
  await Promise.all(polls);
});

test("where there is work, everybody looks for themselves", async () => {
  const { poll, asked, turn } = await openQuiet();
  const polls = [poll("10"), poll("11"), poll("12")];
  asked[0]?.answer(false);
  await turn();
  asked[1]?.answer(false);
  await turn();
  expect(asked.slice(2).map(({ before }) => before)).toEqual(["11", "12"]);
  polls.push(poll("13"), poll("14"));
  expect(asked).toHaveLength(6);
  for (const { answer } of asked) answer(true);
  await Promise.all(polls);
});

test("whoever looked for all of them keeps what it found", async () => {
  const { poll, asked, turn } = await openQuiet();
  const polls = [poll("10"), poll("12"), poll("11")];
  asked[0]?.answer(false);
  await turn();
  asked[1]?.answer(false);
  await turn();
  expect(asked.slice(2).map(({ before }) => before)).toEqual(["11"]);
  asked[2]?.answer(true);
  expect((await Promise.all(polls)).map(({ until }) => until)).toEqual(["10", "12", "11"]);
});

test("a look that fails fails for all who wait for it, and not for who comes later", async () => {
  const { poll, asked, turn } = await openQuiet();
  const polls = [poll(), poll(), poll()].map((answer) => answer.catch(() => "failed"));
  asked[0]?.fail();
  await turn();
  asked[1]?.fail();
  expect(await Promise.all(polls)).toEqual(["failed", "failed", "failed"]);
  const later = poll();
  asked[2]?.answer(true);
  expect(await later).toMatchObject({ isQuiet: true });
});
