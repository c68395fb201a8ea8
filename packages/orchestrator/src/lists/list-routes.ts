// A list, a count and pages of a resource: the same three endpoints for every resource that has
// them all.

import { PaginatedOf } from "@orchestrator/contract";
import { type ApiInstance, clientDisconnected, sendJsonText } from "@orchestrator/kernel/http";
import {
  countRows,
  type ListDefinition,
  listBytes,
  pageJson,
  type Relations,
} from "@orchestrator/kernel/lists";
import type { FastifyReply } from "fastify";
import { type TSchema, Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";

interface ListedResource {
  /** The key of its own filter, which is also its path: `flow_runs`. */
  readonly key: string;
  /** As it stands in the names of operations: `FlowRuns`. */
  readonly plural: string;
  /** As it stands in sentences: `flow runs`. */
  readonly words: string;
  readonly tags: string[];
  readonly record: TSchema;
  readonly list: ListDefinition;
  readonly relations: Relations;
  readonly bodies: { readonly list: TSchema; readonly count: TSchema; readonly pages: TSchema };
}

/** What the bodies have in common once they are validated. */
type Body = { readonly [filter: string]: { readonly [attribute: string]: unknown } };
interface Page {
  readonly sort?: string;
  readonly limit: number;
  readonly offset: number;
  readonly page: number;
}

export function listRoutes(
  api: ApiInstance,
  ctx: OrchestratorContext,
  { key, plural, words, tags, record, list, relations, bodies }: ListedResource,
): void {
  const selected = (body: unknown, reply: FastifyReply) => {
    const related = body as Body;
    return { filter: related[key], related, relations, gone: () => clientDisconnected(reply) };
  };

  api.post(
    `/${key}/filter`,
    {
      schema: {
        tags,
        operationId: `list${plural}`,
        summary: `List ${words}`,
        body: bodies.list,
        response: { 200: Type.Array(record) },
      },
    },
    async (request, reply) => {
      const { sort, limit, offset } = request.body as Page;
      const page = { ...selected(request.body, reply), sort, limit, offset, now: ctx.clock.now() };
      return sendJsonText(reply, await listBytes(ctx.db.in(request.scope.workspaceId), list, page));
    },
  );

  api.post(
    `/${key}/paginate`,
    {
      schema: {
        tags,
        operationId: `paginate${plural}`,
        summary: `List ${words} by page`,
        body: bodies.pages,
        response: { 200: PaginatedOf(record, `${plural}Page`) },
      },
    },
    async (request, reply) => {
      const { sort, limit, page } = request.body as Page;
      const wanted = { ...selected(request.body, reply), ...(sort && { sort }), limit, page };
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(
        reply,
        await pageJson(queries, list, { ...wanted, now: ctx.clock.now() }),
      );
    },
  );

  api.post(
    `/${key}/count`,
    {
      schema: {
        tags,
        operationId: `count${plural}`,
        summary: `Count ${words}`,
        body: bodies.count,
        response: { 200: Type.Integer() },
      },
    },
    async (request, reply) =>
      countRows(ctx.db.in(request.scope.workspaceId), list, selected(request.body, reply)),
  );
}
