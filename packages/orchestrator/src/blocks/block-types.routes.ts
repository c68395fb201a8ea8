import {
  BlockType,
  BlockTypeCreate,
  BlockTypeId,
  BlockTypeList,
  BlockTypeSlug,
  BlockTypeUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import {
  createBlockType,
  deleteBlockType,
  readBlockType,
  updateBlockType,
} from "./block-types.service.ts";
import { BLOCK_TYPE_LIST, BLOCK_TYPE_RELATIONS } from "./filters/block-types.filter.ts";
import { installSystemBlocks } from "./install-system-blocks.service.ts";

const tags = ["Block types"];

export function blockTypeRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/block_types/",
    {
      schema: {
        tags,
        operationId: "createBlockType",
        summary: "Create a block type",
        body: BlockTypeCreate,
        response: { 201: BlockType },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createBlockType(ctx, request.scope, request.body)),
  );

  api.post(
    "/block_types/filter",
    {
      schema: {
        tags,
        operationId: "listBlockTypes",
        summary: "List block types",
        body: BlockTypeList,
        response: { 200: Type.Array(BlockType) },
      },
    },
    async (request, reply) => {
      const { block_types: filter, sort, limit, offset, ...related } = request.body;
      const page = { filter, related, relations: BLOCK_TYPE_RELATIONS, sort, limit, offset };
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await listJson(queries, BLOCK_TYPE_LIST, page));
    },
  );

  api.post(
    "/block_types/install_system_block_types",
    {
      schema: {
        tags,
        operationId: "installSystemBlockTypes",
        summary: "Create the block types that come with the server, where they are missing",
        response: { 200: Type.Null() },
      },
    },
    async (request, reply) => {
      await installSystemBlocks(ctx, request.scope.workspaceId);
      return sendJsonText(reply, "null");
    },
  );

  api.get(
    "/block_types/:id",
    {
      schema: {
        tags,
        operationId: "readBlockType",
        summary: "Read a block type by id",
        params: BlockTypeId,
        response: { 200: BlockType },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readBlockType(ctx, request.scope, request.params)),
  );

  api.get(
    "/block_types/slug/:slug",
    {
      schema: {
        tags,
        operationId: "readBlockTypeBySlug",
        summary: "Read a block type by its slug",
        params: BlockTypeSlug,
        response: { 200: BlockType },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readBlockType(ctx, request.scope, request.params)),
  );

  api.patch(
    "/block_types/:id",
    {
      schema: {
        tags,
        operationId: "updateBlockType",
        summary: "Change the texts of a block type",
        params: BlockTypeId,
        body: BlockTypeUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await updateBlockType(ctx, request.scope, { id, changes: request.body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/block_types/:id",
    {
      schema: {
        tags,
        operationId: "deleteBlockType",
        summary: "Delete a block type with its schemas and documents",
        params: BlockTypeId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteBlockType(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}
