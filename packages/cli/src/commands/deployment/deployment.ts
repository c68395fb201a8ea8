import { group, type Word, word } from "../../word.ts";

const backfill = () => import("./backfill.ts");
const change = () => import("./change.ts");
const read = () => import("./read.ts");
const run = () => import("./run.ts");
const create = () => import("./schedule/create.ts");
const preview = () => import("./schedule/preview.ts");
const schedule = () => import("./schedule/schedule.ts");

export const DEPLOYMENT: readonly Word[] = [
  word("ls", "List deployments", async () => (await read()).listDeploymentsCommand()),
  word("inspect", "Show everything about a deployment", async () =>
    (await read()).inspectDeploymentCommand(),
  ),
  word("run", "Make a run of a deployment", async () => (await run()).runDeploymentCommand()),
  word("pause", "Let a deployment make no more scheduled runs", async () =>
    (await change()).pauseDeploymentCommand(),
  ),
  word("resume", "Let a paused deployment make scheduled runs again", async () =>
    (await change()).resumeDeploymentCommand(),
  ),
  word("delete", "Delete a deployment; its runs stay", async () =>
    (await change()).deleteDeploymentCommand(),
  ),
  word("backfill", "Make the runs that the schedules would have made in a span of time", async () =>
    (await backfill()).createBackfillCommand(),
  ),
  group(
    "schedule",
    "The schedules of a deployment",
    [
      word("create", "Give a deployment one more schedule", async () =>
        (await create()).createScheduleCommand(),
      ),
      word("ls", "List the schedules of a deployment", async () =>
        (await schedule()).listSchedulesCommand(),
      ),
      word("pause", "Let a schedule make no more runs", async () =>
        (await schedule()).setScheduleActiveCommand(false),
      ),
      word("resume", "Let a paused schedule make runs again", async () =>
        (await schedule()).setScheduleActiveCommand(true),
      ),
      word("delete", "Delete a schedule", async () => (await schedule()).deleteScheduleCommand()),
      word("clear", "Delete all schedules of a deployment", async () =>
        (await schedule()).clearSchedulesCommand(),
      ),
      word(
        "preview",
        "Show the next times of the schedules, or of one that is only considered",
        async () => (await preview()).previewScheduleCommand(),
      ),
    ],
    ["schedules"],
  ),
];
