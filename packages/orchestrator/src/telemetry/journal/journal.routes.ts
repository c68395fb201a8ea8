import { Readable } from "node:stream";
import { ById, JournalWrite, StoredJournalEntry } from "@orchestrator/contract";
import { type ApiInstance, textAnswer } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { largeBody } from "../../http/large-body.ts";
import { readJournal, readReturned, writeJournal } from "./journal.service.ts";

const NDJSON = "application/x-ndjson";

export function journalRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Flow runs"];

  api.get(
    "/flow_runs/:id/journal",
    {
      schema: {
        tags,
        operationId: "readFlowRunJournal",
        summary: "Read the results of the calls that a flow run has finished",
        description: "A stream with a JSON object on each line: a `StoredJournalEntry`.",
        params: ById,
        response: { 200: textAnswer(NDJSON) },
      },
    },
    async (request, reply) => {
      const lines = await readJournal(ctx, request.scope, request.params.id);
      return reply.header("content-type", `${NDJSON}; charset=utf-8`).send(Readable.from(lines));
    },
  );

  api.get(
    "/flow_runs/:id/result",
    {
      schema: {
        tags,
        operationId: "readFlowRunResult",
        summary: "Read the result that a flow run has returned",
        description:
          "404 where none is stored. Runs with the label `orchestrator.keep-result` and runs within another run store theirs.",
        params: ById,
        response: { 200: StoredJournalEntry },
      },
    },
    (request) => readReturned(ctx, request.scope, request.params.id),
  );

  api.post(
    "/flow_runs/:id/journal",
    {
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "writeFlowRunJournal",
        summary: "Store results of calls that a flow run has finished",
        description:
          "For results that no event of a task run carries. An entry under a known key replaces it.",
        params: ById,
        body: JournalWrite,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await writeJournal(ctx, request.scope, { id, body: request.body });
      return reply.code(204).send();
    },
  );
}
