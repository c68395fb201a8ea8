import type { Transfer } from "../transfer-context.ts";
import { type TransferKind, type TransferProgress, transferKind } from "../transfer-kind.ts";
import { automationKind } from "./automations.ts";
import { blockKind, blockTypeKind } from "./blocks.ts";
import { deploymentKind, flowKind, slaKind } from "./deployments.ts";
import { transferUptime } from "./uptime.ts";
import { globalLimitKind, tagLimitKind, variableKind } from "./values.ts";
import { workPoolKind, workQueueKind } from "./work.ts";

type Step = (transfer: Transfer, progress: TransferProgress) => Promise<void>;

const each =
  <Row>(kind: TransferKind<Row>): Step =>
  (transfer, progress) =>
    transferKind(transfer, kind, progress);

/** Everything before that which refers to it. */
const STEPS: readonly Step[] = [
  each(variableKind),
  each(globalLimitKind),
  each(tagLimitKind),
  each(blockTypeKind),
  each(blockKind),
  each(workPoolKind),
  each(workQueueKind),
  each(flowKind),
  each(deploymentKind),
  each(slaKind),
  transferUptime,
  each(automationKind),
];

/** All of it, one kind after the other. */
export async function transferAll(transfer: Transfer, progress: TransferProgress): Promise<void> {
  for (const step of STEPS) await step(transfer, progress);
}
