import { group, type Word, word } from "../../word.ts";

const backfill = () => import("./backfill.ts");
const change = () => import("./change.ts");
const look = () => import("./look.ts");
const run = () => import("./run.ts");
const create = () => import("./schedule/create.ts");
const preview = () => import("./schedule/preview.ts");
const schedule = () => import("./schedule/schedule.ts");

export const DEPLOYMENT: readonly Word[] = [
  word("ls", "List deployments", async () => (await look()).ls()),
  word("inspect", "Show everything about a deployment", async () => (await look()).inspect()),
  word("run", "Make a run of a deployment", async () => (await run()).run()),
  word("pause", "Let a deployment make no more scheduled runs", async () =>
    (await change()).pause(),
  ),
  word("resume", "Let a paused deployment make scheduled runs again", async () =>
    (await change()).resume(),
  ),
  word("delete", "Delete a deployment; its runs stay", async () => (await change()).remove()),
  word("backfill", "Make the runs that the schedules would have made in a span of time", async () =>
    (await backfill()).backfill(),
  ),
  group(
    "schedule",
    "The schedules of a deployment",
    [
      word("create", "Give a deployment one more schedule", async () => (await create()).create()),
      word("ls", "List the schedules of a deployment", async () => (await schedule()).ls()),
      word("pause", "Let a schedule make no more runs", async () =>
        (await schedule()).setActive(false),
      ),
      word("resume", "Let a paused schedule make runs again", async () =>
        (await schedule()).setActive(true),
      ),
      word("delete", "Delete a schedule", async () => (await schedule()).remove()),
      word("clear", "Delete all schedules of a deployment", async () => (await schedule()).clear()),
      word(
        "preview",
        "Show the next times of the schedules, or of one that is only considered",
        async () => (await preview()).preview(),
      ),
    ],
    ["schedules"],
  ),
];
