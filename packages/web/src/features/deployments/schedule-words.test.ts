import { expect, test } from "vitest";
import { scheduleRemarks, scheduleWords } from "./schedule-words.ts";

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
  [{ cron: "*/45 * * * *" }, "*/45 * * * *"],
  [{ cron: "*/1 * * * *" }, "Every minute"],
  [{ cron: "0 */5 * * *" }, "0 */5 * * *"],
  [{ cron: "0 9,17 * * *" }, "Every day at 09:00 and 17:00"],
  [{ cron: "0,30 * * * *" }, "Every hour at minute 0 and 30"],
  [{ cron: "0 9-17 * * 1-5" }, "Every hour from 09:00 to 17:00, Monday to Friday"],
  [{ cron: "30 9-17 * * *" }, "Every hour from 09:30 to 17:30"],
  [{ cron: "*/15 9-17 * * mon-sat" }, "Every 15 minutes from 09:00 to 17:45, Monday to Saturday"],
  [{ cron: "*/10 * * * 0,6" }, "Every 10 minutes, every Saturday and Sunday"],
  [{ cron: "0 9 * * 1,3,5" }, "Every Monday, Wednesday and Friday at 09:00"],
  [{ cron: "0 9 * * 0-6" }, "Every day at 09:00"],
  [{ cron: "*/10 * * * 0-6" }, "Every 10 minutes"],
  [{ cron: "*/10 * * 3 0-6" }, "Every 10 minutes, every day in March"],
  [{ cron: "0 9 * * 5-7" }, "Friday to Sunday at 09:00"],
  [{ cron: "0 9 1,15 * *" }, "On days 1 and 15 of every month at 09:00"],
  [{ cron: "0 9 1 jan,jul *" }, "On day 1 of January and July at 09:00"],
  [{ cron: "0 9 * 3 *" }, "Every day in March at 09:00"],
  [{ cron: "0 9 * 3 1" }, "Every Monday in March at 09:00"],
  [{ cron: "15 */1 * * *" }, "Every hour at minute 15"],
  [{ cron: "@hourly" }, "Every hour"],
  [{ cron: "@yearly" }, "On day 1 of January at 00:00"],
  [{ interval: 5400 }, "Every 1h 30m"],
  [{ interval: 90_061.5 }, "Every 1d 1h 1m 1.5s"],
  [{ interval: 7.25 }, "Every 7.25s"],
  [{ interval: 0.25 }, "Every 250ms"],
  [{ rrule: "FREQ=DAILY;BYHOUR=9" }, "Every day at 09:00"],
  [{ rrule: "RRULE:FREQ=HOURLY" }, "Every hour"],
  [{ rrule: "FREQ=HOURLY;INTERVAL=6;BYMINUTE=30" }, "Every 6 hours at minute 30"],
  [{ rrule: "FREQ=MINUTELY;INTERVAL=5" }, "Every 5 minutes"],
  [
    { rrule: "DTSTART:20200101T000000\nFREQ=WEEKLY;BYDAY=MO", timezone: "Europe/Berlin" },
    "Every Monday at 00:00 (Europe/Berlin)",
  ],
  [{ rrule: "DTSTART:20200101T063000\nRRULE:FREQ=WEEKLY" }, "Every Wednesday at 06:30"],
  [
    { rrule: "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=8,17;BYMINUTE=5" },
    "Every Monday, Wednesday and Friday at 08:05 and 17:05",
  ],
  [{ rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9" }, "Monday to Friday at 09:00"],
  [{ rrule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=3" }, "Every 2 weeks on Sunday at 03:00"],
  [{ rrule: "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9" }, "On day 1 of every month at 09:00"],
  [{ rrule: "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=9" }, "On the last day of every month at 09:00"],
  [
    { rrule: "DTSTART:20200101T000000\nFREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=30;BYSECOND=0" },
    "On the last Friday of every month at 17:30",
  ],
  [
    { rrule: "FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU;BYHOUR=8" },
    "Every 3 months on the second Tuesday at 08:00",
  ],
  [
    { rrule: "FREQ=DAILY;BYHOUR=9;UNTIL=20270101T000000Z;COUNT=3" },
    "Every day at 09:00, 3 times, until 2027-01-01",
  ],
])("%j is said as %s", (schedule, words) => {
  expect(scheduleWords(schedule)).toBe(words);
});

test.each([
  "0 0 9 * * *",
  "5-10 * * * *",
  "0 9 1 * 1",
  "0 8,10,12,14,16 * * *",
  "0,30 9-17 * * *",
  "* 9 * * *",
  "0 17-9 * * *",
  "0 20-26 * * *",
  "0 9 * * 1#2",
  "0 9 L * *",
  "0 9 1-31 * *",
  "0 9 1 1-9 *",
  "0 9 * * 8",
  "0 9 * 13 *",
  "@reboot",
  "",
])("%s is shown as it is written, because no few words say it", (cron) => {
  expect(scheduleWords({ cron })).toBe(cron);
});

test.each([
  "FREQ=MONTHLY;BYDAY=MO",
  "FREQ=MONTHLY;BYDAY=1MO,3MO",
  "FREQ=MONTHLY;BYDAY=-2MO",
  "FREQ=MONTHLY;BYMONTHDAY=-2",
  "FREQ=YEARLY",
  "FREQ=DAILY;BYSETPOS=1",
  "FREQ=HOURLY;BYHOUR=9,10",
  "FREQ=WEEKLY",
  "RRULE:FREQ=DAILY\nEXDATE:20270101T000000",
  "DTSTART:20200101T000000Z\nFREQ=DAILY",
  "not a rule",
])("the rule %j is shown as it is written", (rrule) => {
  expect(scheduleWords({ rrule })).toBe(rrule);
});

const RECORD = {
  id: "",
  created: "",
  updated: "",
  deployment_id: "",
  schedule: { cron: "0 3 * * *" },
  active: true,
  max_scheduled_runs: null,
  parameters: {},
  slug: null,
  catchup: "none",
  overlap: "allow",
  jitter_seconds: 0,
} as const;

test("what is usual of a schedule is not said, and what is not is", () => {
  expect(scheduleRemarks(RECORD)).toEqual([]);
  const unusual = {
    ...RECORD,
    slug: "night",
    overlap: "queue",
    catchup: "latest",
    jitter_seconds: 90,
    max_scheduled_runs: 2,
    parameters: { part: 1 },
  } as const;
  expect(scheduleRemarks(unusual)).toEqual([
    "night",
    "waits for an earlier run",
    "catches up on the last missed run",
    "up to 1m 30s later",
    "at most 2 ahead",
    "1 parameter of its own",
  ]);
});
