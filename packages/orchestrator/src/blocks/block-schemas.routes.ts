import {
  BlockSchema,
  BlockSchemaChecksum,
  BlockSchemaCreate,
  BlockSchemaId,
  BlockSchemaList,
  BlockSchemaVersion,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import {
  createBlockSchema,
  deleteBlockSchema,
  readBlockSchema,
  readSchemaByChecksum,
} from "./block-schemas.service.ts";
import { BLOCK_SCHEMA_LIST } from "./filters/block-schemas.filter.ts";
import { findCapabilities } from "./schemas/block-schemas.store.ts";

const tags = ["Block schemas"];

export function blockSchemaRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/block_schemas/",
    {
      schema: {
        tags,
        operationId: "createBlockSchema",
        summary: "Register a block schema; one that is known already is answered with 200",
        body: BlockSchemaCreate,
        response: { 200: BlockSchema, 201: BlockSchema },
      },
    },
    async (request, reply) => {
      const { json, isNew } = await createBlockSchema(ctx, request.scope, request.body);
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );

  api.post(
    "/block_schemas/filter",
    {
      schema: {
        tags,
        operationId: "listBlockSchemas",
        summary: "List block schemas, newest first",
        body: BlockSchemaList,
        response: { 200: Type.Array(BlockSchema) },
      },
    },
    async (request, reply) => {
      const { block_schemas: filter, limit, offset } = request.body;
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(
        reply,
        await listJson(queries, BLOCK_SCHEMA_LIST, { filter, limit, offset }),
      );
    },
  );

  api.get(
    "/block_schemas/:id",
    {
      schema: {
        tags,
        operationId: "readBlockSchema",
        summary: "Read a block schema by id",
        params: BlockSchemaId,
        response: { 200: BlockSchema },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readBlockSchema(ctx, request.scope, request.params.id)),
  );

  api.get(
    "/block_schemas/checksum/:checksum",
    {
      schema: {
        tags,
        operationId: "readBlockSchemaByChecksum",
        summary: "Read the newest block schema with a checksum",
        params: BlockSchemaChecksum,
        querystring: BlockSchemaVersion,
        response: { 200: BlockSchema },
      },
    },
    async (request, reply) => {
      const key = { ...request.params, version: request.query.version ?? null };
      return sendJsonText(reply, await readSchemaByChecksum(ctx, request.scope, key));
    },
  );

  api.delete(
    "/block_schemas/:id",
    {
      schema: {
        tags,
        operationId: "deleteBlockSchema",
        summary: "Delete a block schema with its documents",
        params: BlockSchemaId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteBlockSchema(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );

  api.get(
    "/block_capabilities/",
    {
      schema: {
        tags,
        operationId: "listBlockCapabilities",
        summary: "Everything that any block can do",
        response: { 200: Type.Array(Type.String()) },
      },
    },
    async (request) => findCapabilities(ctx.db.in(request.scope.workspaceId)),
  );
}
