import type { Backfill } from "@orchestrator/contract";
import type { Command } from "commander";
import { leaf } from "../../io/command.ts";
import { isUuid, orNull } from "../../io/find.ts";
import type { CliSession } from "../../io/session.ts";
import { MisuseError, UsageError } from "../../output/fail.ts";

export const EXAMPLE_ID = "01a1dfbd-242b-7027-b6d6-6964bc7c0f07";

/** A command about one backfill, which has no name but its id. */
export const leafOfBackfill = (): Command =>
  leaf().argument("<id>", "`orchestrator backfill ls` shows it");

/** What the answer about a backfill is; where there is none, the error says where to look. */
export async function foundBackfill(
  { client }: CliSession,
  id: string,
  ask: (backfills: CliSession["client"]["backfills"]) => Promise<Backfill>,
): Promise<Backfill> {
  if (!isUuid(id)) throw new MisuseError(`${id} is no id: \`orchestrator backfill ls\` shows them`);
  const backfill = await orNull(ask(client.backfills));
  if (backfill !== null) return backfill;
  throw new UsageError(`There is no backfill ${id}. \`orchestrator backfill ls\` lists them.`);
}
