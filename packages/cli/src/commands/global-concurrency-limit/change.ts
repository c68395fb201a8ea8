import { type Command, InvalidArgumentError } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printDone } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { findLimit } from "./find-limit.ts";

interface CreateOptions {
  readonly limit: number;
  readonly slotDecayPerSecond?: number;
  readonly disabled?: true;
}

export function createGlobalLimitCommand(): Command {
  return leaf()
    .argument("<name>")
    .requiredOption("-l, --limit <slots>", "how many slots there are", parseWholeNumber(0))
    .option(
      "--slot-decay-per-second <slots>",
      "so many slots become free by themselves every second, for rate limits",
      amount,
    )
    .option("--disabled", "blocks nothing until it is enabled")
    .addHelpText(
      "after",
      examples(
        "gcl create database --limit 5",
        "gcl create api --limit 10 --slot-decay-per-second 2.5",
      ),
    )
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const session = sessionOf(command);
      const created = await session.client.concurrencyLimits.create({
        name,
        limit: options.limit,
        active: options.disabled !== true,
        slot_decay_per_second: options.slotDecayPerSecond ?? 0,
      });
      printDone(session, `Created the limit ${name} of ${options.limit}`, created);
    });
}

interface UpdateOptions {
  readonly limit?: number;
  readonly name?: string;
  readonly activeSlots?: number;
  readonly slotDecayPerSecond?: number;
}

export function updateGlobalLimitCommand(): Command {
  return leaf()
    .argument("<name>", "or its id")
    .option("-l, --limit <slots>", "how many slots there are", parseWholeNumber(0))
    .option("--name <name>", "what it is called from now on")
    .option(
      "--active-slots <slots>",
      "how many are in use, to correct it by hand",
      parseWholeNumber(0),
    )
    .option("--slot-decay-per-second <slots>", "how many become free by themselves", amount)
    .addHelpText("after", examples("gcl update database --limit 10"))
    .action(async (name: string, options: UpdateOptions, command: Command) => {
      const session = sessionOf(command);
      const changes = {
        ...(options.limit !== undefined && { limit: options.limit }),
        ...(options.name !== undefined && { name: options.name }),
        ...(options.activeSlots !== undefined && { active_slots: options.activeSlots }),
        ...(options.slotDecayPerSecond !== undefined && {
          slot_decay_per_second: options.slotDecayPerSecond,
        }),
      };
      if (Object.keys(changes).length === 0) {
        throw new MisuseError("Say what is to change, such as --limit 10");
      }
      const { concurrencyLimits } = session.client;
      const { id } = await findLimit(session, name);
      await concurrencyLimits.update(id, changes);
      const changed = await concurrencyLimits.read(id);
      printDone(session, `Changed the limit ${changed.name}`, changed);
    });
}

export function switchGlobalLimitCommand(active: boolean): Command {
  const verb = active ? "enable" : "disable";
  return leaf()
    .argument("<name>", "or its id")
    .addHelpText("after", examples(`gcl ${verb} database`))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const limit = await findLimit(session, name);
      await session.client.concurrencyLimits.update(limit.id, { active });
      printDone(session, `The limit ${limit.name} is ${verb}d`, { ...limit, active });
    });
}

function amount(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError("It must be a number from 0 on.");
}
