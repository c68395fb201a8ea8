import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { isPassing } from "../../io/passing.ts";
import { printJson, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { MisuseError, UsageError } from "../../output/fail.ts";
import { liveLine } from "../../output/live-line.ts";
import { KINDS, type KindName } from "./kind-names.ts";
import type { TransferItem } from "./transfer-context.ts";

interface Options {
  readonly from?: string;
  readonly to: string;
  readonly only?: readonly KindName[];
  readonly pause?: true;
  readonly dryRun?: true;
}

export function transferCommand(): Command {
  return leaf()
    .description("Copy what is defined on a server to another one, but for what is there")
    .option("--from <profile>", "or the address of an open server; default: the server in use")
    .requiredOption("--to <profile>", "or the address of an open server")
    .addOption(new Option("--only <kind...>", "only things of these kinds").choices([...KINDS]))
    .option("--pause", "make deployments paused, so that not both servers run them")
    .option("--dry-run", "only show what would be created")
    .addHelpText(
      "after",
      `
Definitions are copied, in the order in which they need each other; runs, logs, events, artifacts and history are not, nor are
webhooks, whose addresses are secrets. What the other server has under the same name stays as it is there, so that a transfer
can be repeated. The exit code is 1 where something could not be copied; it is said what and why.
${examples(
  "transfer --from staging --to production --dry-run",
  "transfer --from staging --to production --pause",
  "transfer --to http://127.0.0.1:5200/api --only variable work-pool",
)}`,
    )
    .action(async (options: Options, command: Command) => {
      const session = sessionOf(command);
      const { openSide, ownSide } = await import("./sides.ts");
      const { transferAll: carryAll } = await import("./kinds/index.ts");
      const { IdMapping: KnownIds } = await import("./transfer-context.ts");
      const { printReport, transferSummaries: summaryOf } = await import("./report.ts");
      const from = options.from === undefined ? ownSide(session) : await openSide(options.from);
      const to = await openSide(options.to);
      if (from.client.url === to.client.url) {
        throw new MisuseError(`Both sides are ${to.client.url}: name two servers`);
      }
      const isDryRun = options.dryRun === true;
      const requested = new Set<string>(options.only ?? KINDS);
      if (!session.json) say(`From ${from.client.url} to ${to.client.url}`);
      const line = liveLine();
      const ids = new KnownIds();
      const transfer = { from, to, isDryRun, isPausing: options.pause === true, ids };
      const items: TransferItem[] = [];
      let stopped: Error | null = null;
      try {
        await carryAll(transfer, {
          isRequested: (kind) => requested.has(kind),
          report: (kind, done, all) => {
            if (!session.json) line.set(`${kind}: ${done} of ${all}`);
          },
          done: (item) => items.push(item),
        });
      } catch (error) {
        // Where nothing was done yet there is nothing to report.
        if (!isPassing(error) || items.length === 0) throw error;
        stopped = error;
      } finally {
        line.end();
      }
      if (session.json) {
        const [source, target] = [from.client.url, to.client.url];
        printJson({
          from: source,
          to: target,
          dry_run: isDryRun,
          error: stopped?.message ?? null,
          summary: summaryOf(items),
          items,
        });
      } else if (items.length === 0) say("There is nothing to copy");
      else printReport(items, isDryRun);
      if (items.some(({ outcome }) => outcome === "left_out" || outcome === "failed")) {
        process.exitCode = 1;
      }
      if (stopped !== null) throw cutOff(stopped);
    });
}

const cutOff = ({ message }: Error): UsageError =>
  new UsageError(
    `${message}\nThe transfer ended before everything was looked at. What was created stays: give the same command once both servers answer, and it goes on with the rest.`,
  );
