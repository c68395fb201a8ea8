import type { MonitorAlertCreate } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printDone } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import {
  type BlockValueOptions,
  blockValues,
  withBlockValueOptions,
} from "../block/block-values.ts";
import { fieldsOfBlockType, findBlock, findBlockType } from "../block/find-block.ts";
import { findMonitor } from "./find-monitor.ts";

const STATUSES = ["down", "degraded", "up"] as const;
type Status = (typeof STATUSES)[number];

interface Options extends BlockValueOptions {
  readonly monitor?: string;
  readonly tag?: string;
  readonly block?: string;
  readonly blockType?: string;
  readonly on?: readonly Status[];
  readonly key?: string;
}

export function createMonitorAlertCommand(): Command {
  return withBlockValueOptions(
    leaf()
      .addOption(new Option("--monitor <monitor>", "of this monitor only").conflicts("tag"))
      .option("--tag <tag>", "of monitors with this tag only; * in it stands for anything")
      .addOption(
        new Option(
          "--on <status...>",
          "statuses that send an alert; down and up by default",
        ).choices(STATUSES),
      )
      .option("--block <type/name>", "an existing notification block to send through")
      .addOption(
        new Option(
          "--block-type <slug>",
          "the type of a block that is made for it, such as slack-webhook",
        ).conflicts("block"),
      )
      .option("--key <word>", "tells alerts about the same monitors apart"),
  )
    .addHelpText(
      "after",
      examples(
        "monitor alert --block slack-webhook/ops",
        "monitor alert --tag prod --block-type slack-webhook --secret url=SLACK_URL",
        "monitor alert --monitor Shop --block-type webhook --field url=https://hooks.example.com/in --on down",
      ),
    )
    .action(async (options: Options, command: Command) => {
      const session = sessionOf(command);
      const { monitor, tag, on, key } = options;
      const automation = await session.client.automations.putMonitorAlert({
        notify: await wayOf(session, options),
        ...(monitor !== undefined && { monitor_id: (await findMonitor(session, monitor)).id }),
        ...(tag !== undefined && { tag }),
        ...(on !== undefined && { statuses: [...on] }),
        ...(key !== undefined && { key }),
      });
      const whom = monitor ?? (tag === undefined ? "all monitors" : `monitors tagged ${tag}`);
      printDone(
        session,
        `You will be told of ${whom}: automation ${automation.name} (${automation.id})`,
        automation,
      );
    });
}

async function wayOf(session: CliSession, options: Options): Promise<MonitorAlertCreate["notify"]> {
  const { block, blockType } = options;
  if (block !== undefined) return { block_document_id: (await findBlock(session, block)).id };
  if (blockType === undefined) {
    throw new MisuseError(
      "Choose a notification block: --block TYPE/NAME for an existing one, or --block-type SLUG with its values. `orchestrator block type ls` lists the types",
    );
  }
  const type = await findBlockType(session, blockType);
  const data = await blockValues(session, options, await fieldsOfBlockType(session, type));
  return { block_type: type.slug, data };
}
