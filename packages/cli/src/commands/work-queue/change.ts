import type { WorkQueueUpdate } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printDone } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { findPool } from "../work-pool/find-pool.ts";
import { findQueue, type PoolOption, withQueue } from "./find-queue.ts";

interface CreateOptions {
  readonly pool: string;
  readonly description?: string;
  readonly priority?: number;
  readonly concurrencyLimit?: number;
}

const withFields = (command: Command): Command =>
  command
    .option("--description <text>")
    .option("--priority <number>", "1 comes first", parseWholeNumber(1))
    .option("--concurrency-limit <count>", "how many runs at once", parseWholeNumber(0));

const fieldsOf = ({ description, priority, concurrencyLimit }: Partial<CreateOptions>) => ({
  ...(description !== undefined && { description }),
  ...(priority !== undefined && { priority }),
  ...(concurrencyLimit !== undefined && { concurrency_limit: concurrencyLimit }),
});

export function createWorkQueueCommand(): Command {
  return withFields(
    leaf().argument("<name>").requiredOption("--pool <name>", "the work pool that it belongs to"),
  )
    .addHelpText("after", examples("work-queue create urgent --pool local --priority 1"))
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const session = sessionOf(command);
      await findPool(session, options.pool);
      const queue = { name, ...fieldsOf(options) };
      const made = await session.client.workQueues.createInPool(options.pool, queue);
      printDone(session, `Work queue ${name} of ${options.pool} is there`, made);
    });
}

async function change(
  command: Command,
  name: string,
  {
    pool,
    changes,
    text,
  }: PoolOption & { readonly changes: WorkQueueUpdate; readonly text: string },
): Promise<void> {
  const session = sessionOf(command);
  const { id } = await findQueue(session, name, pool === undefined ? {} : { pool });
  await session.client.workQueues.update(id, changes);
  printDone(session, `Work queue ${name} ${text}`, await session.client.workQueues.read(id));
}

export function pauseWorkQueueCommand(): Command {
  return withQueue(leaf())
    .addHelpText("after", examples("work-queue pause urgent --pool local"))
    .action((name: string, options: PoolOption, command: Command) =>
      change(command, name, { ...options, changes: { is_paused: true }, text: "is paused" }),
    );
}

export function resumeWorkQueueCommand(): Command {
  return withQueue(leaf())
    .addHelpText("after", examples("work-queue resume urgent --pool local"))
    .action((name: string, options: PoolOption, command: Command) =>
      change(command, name, { ...options, changes: { is_paused: false }, text: "is active again" }),
    );
}

export function updateWorkQueueCommand(): Command {
  return withFields(withQueue(leaf()))
    .option("--name <name>", "another name")
    .addHelpText("after", examples("work-queue update urgent --pool local --priority 2"))
    .action(
      (
        name: string,
        options: Partial<CreateOptions> & { readonly name?: string },
        command: Command,
      ) => {
        const changes = {
          ...fieldsOf(options),
          ...(options.name !== undefined && { name: options.name }),
        };
        if (Object.keys(changes).length === 0)
          command.error("error: say what to change, for example --priority", { exitCode: 2 });
        const { pool } = options;
        return change(command, name, {
          ...(pool !== undefined && { pool }),
          changes,
          text: "is changed",
        });
      },
    );
}

export function setWorkQueueLimitCommand(): Command {
  return withQueue(leaf())
    .argument("<count>", "0 for none at all", parseWholeNumber(0))
    .addHelpText("after", examples("work-queue set-concurrency-limit urgent 2 --pool local"))
    .action((name: string, limit: number, options: PoolOption, command: Command) =>
      change(command, name, {
        ...options,
        changes: { concurrency_limit: limit },
        text: `runs at most ${limit} at once`,
      }),
    );
}

export function clearWorkQueueLimitCommand(): Command {
  return withQueue(leaf())
    .addHelpText("after", examples("work-queue clear-concurrency-limit urgent --pool local"))
    .action((name: string, options: PoolOption, command: Command) =>
      change(command, name, {
        ...options,
        changes: { concurrency_limit: null },
        text: "has no limit now",
      }),
    );
}

export function deleteWorkQueueCommand(): Command {
  return withQueue(leaf())
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("work-queue delete urgent --pool local"))
    .action(
      async (name: string, options: PoolOption & { readonly yes?: true }, command: Command) => {
        const session = sessionOf(command);
        const { id } = await findQueue(session, name, options);
        await confirmOrFail(session, {
          question: `Delete the work queue ${name}?`,
          yes: options.yes,
        });
        await session.client.workQueues.delete(id);
        printDone(session, `Deleted the work queue ${name}`, { deleted: id });
      },
    );
}
