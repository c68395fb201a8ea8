import { expect, test } from "vitest";
import { scheduleWords } from "./schedule-words.ts";

test.each([
  [{ cron: "0 3 * * *" }, "Every day at 03:00"],
  [{ cron: "0 3 * * *", timezone: "Europe/Berlin" }, "Every day at 03:00 (Europe/Berlin)"],
  [{ cron: "*/5 * * * *" }, "Every 5 minutes"],
  [{ cron: "* * * * *" }, "Every minute"],
  [{ cron: "0 * * * *" }, "Every hour"],
  [{ cron: "15 * * * *" }, "Every hour at minute 15"],
  [{ cron: "30 */4 * * *" }, "Every 4 hours at minute 30"],
  [{ cron: "30 8 * * 1-5" }, "Monday to Friday at 08:30"],
  [{ cron: "0 9 * * 0" }, "Every Sunday at 09:00"],
  [{ cron: "0 9 * * SUN" }, "Every Sunday at 09:00"],
  [{ cron: "30 8 * * mon-fri" }, "Monday to Friday at 08:30"],
  [{ cron: "0 9 1 * *" }, "On day 1 of every month at 09:00"],
  [{ cron: "@daily" }, "Every day at 00:00"],
  [{ interval: 5400 }, "Every 1h 30m"],
])("%j is said as %s", (schedule, words) => {
  expect(scheduleWords(schedule)).toBe(words);
});

test.each(["0 9 * 3 *", "0 9,17 * * *", "0 0 9 * * *", "5-10 * * * *", "0 9 1 * 1"])(
  "%s is shown as it is written, because no few words say it",
  (cron) => {
    expect(scheduleWords({ cron })).toBe(cron);
  },
);
