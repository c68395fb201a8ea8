import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import {
  CSV_HEADER,
  type LogCsvLine,
  linesThatFit,
  logLine,
  MOST_LINES,
  plainLogLine,
} from "./log-csv.rules.ts";
import {
  FIRST_LOG,
  findFlowRunName,
  type LogPosition,
  selectFlowRunLogSizes,
  selectFlowRunLogs,
} from "./logs.store.ts";

export interface LogFile {
  readonly fileName: string;
  /** CSV, page by page: what is not taken is not read. */
  readonly pages: AsyncIterable<string>;
}

export async function downloadFlowRunLogs(
  ctx: OrchestratorContext,
  scope: Scope,
  flowRunId: string,
): Promise<LogFile> {
  const queries = ctx.db.in(scope.workspaceId);
  const name = await findFlowRunName(queries, flowRunId);
  if (name === null) throw new AppError("not_found", `Flow run ${flowRunId} not found`);
  const asLine = ctx.dialect.writesLogsPlainly ? plainLogLine : logLine;
  return { fileName: `${name}-logs.csv`, pages: csvPages(queries, flowRunId, asLine) };
}

async function* csvPages(
  queries: Queries,
  flowRunId: string,
  asLine: LogCsvLine,
): AsyncGenerator<string> {
  let after: LogPosition = FIRST_LOG;
  let text = CSV_HEADER;
  for (;;) {
    const sizes = await selectFlowRunLogSizes(queries, flowRunId, { after, limit: MOST_LINES });
    const limit = linesThatFit(sizes);
    const page = limit === 0 ? [] : await selectFlowRunLogs(queries, flowRunId, { after, limit });
    for (const line of page) text += asLine(line);
    yield text;
    const last = page.at(-1);
    if (last === undefined || (limit === sizes.length && limit < MOST_LINES)) return;
    after = last;
    text = "";
  }
}
