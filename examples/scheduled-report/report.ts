import { createClient } from "@orchestrator/client/node";
import { createMarkdown, flow, task } from "@orchestrator/sdk";
import { z } from "zod";

const STATES = ["COMPLETED", "FAILED", "CRASHED", "CANCELLED"] as const;
type Ending = (typeof STATES)[number];

const countRuns = task(
  { name: "count", runName: "count {0}", retries: 2, retryDelaySeconds: 5 },
  async (state: Ending, since: string) => {
    const count = await createClient().flowRuns.count({
      flow_runs: { state: { type: { any_: [state] } }, end_time: { after_: since } },
    });
    return { state, count };
  },
);

export const report = flow(
  {
    name: "daily-report",
    description: "How the runs of the last hours ended",
    parameters: z.object({
      hours: z
        .number()
        .int()
        .min(1)
        .max(24 * 31)
        .default(24),
    }),
  },
  async ({ hours }) => {
    const since = new Date(Date.now() - hours * 3_600_000).toISOString();
    const rows = await countRuns.map(STATES, since).results();
    const lines = rows.map(({ state, count }) => `| ${state.toLowerCase()} | ${count} |`);
    await createMarkdown(["| ended | runs |", "|---|---|", ...lines].join("\n"), {
      key: "daily-report",
      description: `Runs that ended since ${since}`,
    });
  },
);
