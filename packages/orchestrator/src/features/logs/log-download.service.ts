import { AppError, type Queries, type Scope } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { CSV_HEADER, csvLine, FIRST_PAGE_LINES, nextPageLines } from "./log-csv.rules.ts";
import { FIRST_LOG, findFlowRunName, type LogPosition, selectFlowRunLogs } from "./logs.store.ts";

export interface LogDownload {
  readonly fileName: string;
  /** CSV, page by page: what is not taken is not read. */
  readonly pages: AsyncIterable<string>;
}

export async function downloadFlowRunLogs(
  ctx: OrchestratorContext,
  scope: Scope,
  flowRunId: string,
): Promise<LogDownload> {
  const queries = ctx.db.in(scope.workspaceId);
  const name = await findFlowRunName(queries, flowRunId);
  if (name === null) throw new AppError("not_found", `Flow run ${flowRunId} not found`);
  return { fileName: `${name}-logs.csv`, pages: csvPages(queries, flowRunId) };
}

async function* csvPages(queries: Queries, flowRunId: string): AsyncGenerator<string> {
  let after: LogPosition = FIRST_LOG;
  let limit = FIRST_PAGE_LINES;
  let text = CSV_HEADER;
  for (;;) {
    const page = await selectFlowRunLogs(queries, flowRunId, { after, limit });
    for (const line of page) text += csvLine(line);
    yield text;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    after = last;
    limit = nextPageLines(page);
    text = "";
  }
}
