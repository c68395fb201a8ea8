import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { exitInterrupted, onInterrupt } from "../../io/interrupt.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { print, printJsonLine, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { eventText } from "./event-line.ts";
import { type FilterOptions, filterOf, withFilterOptions } from "./filter-options.ts";

export function streamEventsCommand(): Command {
  return withFilterOptions(leaf())
    .option("--limit <count>", "end after so many", parseWholeNumber(1))
    .addHelpText(
      "after",
      `\nWith --json each event is a line of its own.\n${examples(
        "event stream",
        "event stream --event 'orchestrator.monitor.*' --json",
        "event stream --since 5m --resource 'shop.*' --limit 1",
      )}`,
    )
    .action(async (options: FilterOptions & { readonly limit?: number }, command: Command) => {
      const session = sessionOf(command);
      const { signal } = onInterrupt();
      if (!session.json) say("Waiting for events; Ctrl-C ends it");
      let left = options.limit ?? Number.POSITIVE_INFINITY;
      const events = session.client.events.follow(filterOf(options), {
        backfill: options.since !== undefined,
        signal,
      });
      for await (const event of events) {
        if (session.json) printJsonLine(event);
        else print(eventText(event));
        left -= 1;
        if (left <= 0) return;
      }
      if (signal.aborted) exitInterrupted(signal);
    });
}
