import { carry, type Kind, type Progress } from "../carry.ts";
import type { Trip } from "../trip.ts";
import { automations } from "./automations.ts";
import { blocks, blockTypes } from "./blocks.ts";
import { deployments, flows, slas } from "./deployments.ts";
import { carryUptime } from "./uptime.ts";
import { globalLimits, tagLimits, variables } from "./values.ts";
import { workPools, workQueues } from "./work.ts";

type Step = (trip: Trip, progress: Progress) => Promise<void>;

const each =
  <Row>(kind: Kind<Row>): Step =>
  (trip, progress) =>
    carry(trip, kind, progress);

/** Everything before that which refers to it. */
const STEPS: readonly Step[] = [
  each(variables),
  each(globalLimits),
  each(tagLimits),
  each(blockTypes),
  each(blocks),
  each(workPools),
  each(workQueues),
  each(flows),
  each(deployments),
  each(slas),
  carryUptime,
  each(automations),
];

/** All of it, one kind after the other. */
export async function carryAll(trip: Trip, progress: Progress): Promise<void> {
  for (const step of STEPS) await step(trip, progress);
}
