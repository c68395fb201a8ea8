import { expect, test } from "vitest";
import { attachment, linesThatFit, logLine, plainLogLine } from "./log-csv.rules.ts";

const aLog = {
  id: "0193aa00-0000-7000-8000-000000000001",
  timestamp: "2026-11-14T09:00:00.000000Z",
  level: 20,
  flow_run_id: "0193aa00-0000-7000-8000-00000000000f",
  task_run_id: null,
  message: "done",
};

test.each([
  [0, "NOTSET"],
  [10, "DEBUG"],
  [20, "INFO"],
  [30, "WARNING"],
  [40, "ERROR"],
  [50, "CRITICAL"],
  [25, "Level 25"],
])("the level %i is called %s", (level, name) => {
  expect(logLine({ ...aLog, level })).toBe(
    `2026-11-14T09:00:00.000000Z,${name},0193aa00-0000-7000-8000-00000000000f,,done\r\n`,
  );
});

test.each([
  ["2026-11-14T09:00:00.000000Z", "2026-11-14 09:00:00+00:00"],
  ["2026-11-14T09:00:00.000001Z", "2026-11-14 09:00:00.000001+00:00"],
  ["2026-11-14T09:00:00.250000Z", "2026-11-14 09:00:00.250000+00:00"],
])("written plainly, %s becomes %s, and the level is a number", (timestamp, cell) => {
  expect(plainLogLine({ ...aLog, timestamp, level: 25 })).toBe(
    `${cell},25,0193aa00-0000-7000-8000-00000000000f,,done\r\n`,
  );
});

test.each([
  ["plain words", "plain words"],
  ["", ""],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ["+49", "'+49"],
  ["-5 degrees", "'-5 degrees"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\ttab", "'\ttab"],
  ["\rreturn", `"'\rreturn"`],
  ["＝1+1", "'＝1+1"],
  ["1 = 1", "1 = 1"],
])("the message %j becomes the cell %j", (message, cell) => {
  expect(logLine({ ...aLog, message }).split(",,")[1]).toBe(`${cell}\r\n`);
});

test.each([
  ["tidy-fox-logs.csv", `filename="tidy-fox-logs.csv"; filename*=UTF-8''tidy-fox-logs.csv`],
  ["a b.csv", `filename="a b.csv"; filename*=UTF-8''a%20b.csv`],
  ["größe.csv", `filename="gr__e.csv"; filename*=UTF-8''gr%C3%B6%C3%9Fe.csv`],
  ['a"b\\c%.csv', `filename="a_b_c_.csv"; filename*=UTF-8''a%22b%5Cc%25.csv`],
  ["a\r\nb: c.csv", `filename="a__b: c.csv"; filename*=UTF-8''a%0D%0Ab%3A%20c.csv`],
  ["it's (1)*.csv", `filename="it's (1)*.csv"; filename*=UTF-8''it%27s%20%281%29%2A.csv`],
])("the file name %j is offered as %s", (name, expected) => {
  expect(attachment(name)).toBe(`attachment; ${expected}`);
});

test("pages end before they grow too large, and hold a line at least", () => {
  expect(linesThatFit([])).toBe(0);
  expect(linesThatFit([1000, 1000, 1000])).toBe(3);
  expect(linesThatFit([1, 2_000_000, 1_999_999, 1])).toBe(3);
  expect(linesThatFit([9_000_000, 1])).toBe(1);
});
