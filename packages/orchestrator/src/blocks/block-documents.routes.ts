import {
  BlockDocument,
  BlockDocumentCount,
  BlockDocumentCreate,
  BlockDocumentId,
  BlockDocumentList,
  BlockDocumentPlace,
  BlockDocumentSecrets,
  BlockDocumentsOfType,
  BlockDocumentUpdate,
  BlockTypeSlug,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import { largeBody } from "../http/large-body.ts";
import { createDocument, deleteDocument, updateDocument } from "./block-documents.service.ts";
import {
  countDocuments,
  listDocuments,
  listDocumentsOfType,
  readDocument,
  readDocumentByName,
} from "./documents/read-documents.service.ts";

const tags = ["Block documents"];

export function blockDocumentRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/block_documents/",
    {
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "createBlockDocument",
        summary: "Create a block document; its secrets are sealed, and masked in the answer",
        body: BlockDocumentCreate,
        response: { 201: BlockDocument },
      },
    },
    async (request, reply) =>
      sendJsonText(reply.code(201), await createDocument(ctx, request.scope, request.body)),
  );

  api.post(
    "/block_documents/filter",
    {
      schema: {
        tags,
        operationId: "listBlockDocuments",
        summary: "List block documents",
        body: BlockDocumentList,
        response: { 200: Type.Array(BlockDocument) },
      },
    },
    async (request, reply) => {
      const { sort, limit, offset, include_secrets, include_data, ...selection } = request.body;
      const shown = { includeSecrets: include_secrets, includeData: include_data };
      const page = { selection, sort, limit, offset, ...shown };
      return sendJsonText(reply, await listDocuments(ctx, request.scope, page));
    },
  );

  api.post(
    "/block_documents/count",
    {
      schema: {
        tags,
        operationId: "countBlockDocuments",
        summary: "Count block documents",
        body: BlockDocumentCount,
        response: { 200: Type.Integer() },
      },
    },
    async (request) => countDocuments(ctx, request.scope, request.body),
  );

  api.get(
    "/block_documents/:id",
    {
      schema: {
        tags,
        operationId: "readBlockDocument",
        summary: "Read a block document by id",
        params: BlockDocumentId,
        querystring: BlockDocumentSecrets,
        response: { 200: BlockDocument },
      },
    },
    async (request, reply) => {
      const key = { ...request.params, includeSecrets: request.query.include_secrets };
      return sendJsonText(reply, await readDocument(ctx, request.scope, key));
    },
  );

  api.patch(
    "/block_documents/:id",
    {
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "updateBlockDocument",
        summary: "Change values of a block document, or its schema",
        params: BlockDocumentId,
        body: BlockDocumentUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await updateDocument(ctx, request.scope, { id, changes: request.body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/block_documents/:id",
    {
      schema: {
        tags,
        operationId: "deleteBlockDocument",
        summary: "Delete a block document; others that held it hold it no longer",
        params: BlockDocumentId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteDocument(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );

  api.get(
    "/block_types/slug/:slug/block_documents",
    {
      preValidation: async (request) => dropUnsaid(request.query),
      schema: {
        tags,
        operationId: "listBlockDocumentsOfType",
        summary: "List the block documents of a type",
        params: BlockTypeSlug,
        querystring: BlockDocumentsOfType,
        response: { 200: Type.Array(BlockDocument) },
      },
    },
    async (request, reply) => {
      const { include_secrets, include_data, limit, offset } = request.query;
      const shown = { includeSecrets: include_secrets, includeData: include_data };
      const page = { ...request.params, ...shown, limit, offset };
      return sendJsonText(reply, await listDocumentsOfType(ctx, request.scope, page));
    },
  );

  api.get(
    "/block_types/slug/:slug/block_documents/name/:name",
    {
      schema: {
        tags,
        operationId: "readBlockDocumentByName",
        summary: "Read a block document by its type and name",
        params: BlockDocumentPlace,
        querystring: BlockDocumentSecrets,
        response: { 200: BlockDocument },
      },
    },
    async (request, reply) => {
      const key = { ...request.params, includeSecrets: request.query.include_secrets };
      return sendJsonText(reply, await readDocumentByName(ctx, request.scope, key));
    },
  );
}

/** The established client writes `limit=&offset=` where its caller has said nothing of them. */
function dropUnsaid(query: unknown): void {
  const given = query as Record<string, unknown>;
  for (const name of ["limit", "offset"]) if (given[name] === "") delete given[name];
}
