import {
  Artifact,
  ArtifactCollection,
  ArtifactCount,
  ArtifactCreate,
  ArtifactKey,
  ArtifactList,
  ArtifactUpdate,
  ById,
  LatestArtifactCount,
  LatestArtifactList,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { countRows, listBytes } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { largeBody } from "../../http/large-body.ts";
import { assertPageFits } from "../../lists/page-size.ts";
import { ARTIFACT_RELATIONS } from "../../lists/relations.ts";
import { ARTIFACT_LISTS, LATEST_ARTIFACT_LISTS } from "./artifacts.filter.ts";
import {
  createArtifact,
  deleteArtifact,
  readArtifact,
  readLatestArtifact,
  updateArtifact,
} from "./artifacts.service.ts";

const TAGS = ["Artifacts"];

/** All artifacts, and only the latest of each key: two lists that are asked alike. */
const LISTS = [
  {
    path: "/artifacts",
    lists: ARTIFACT_LISTS,
    record: Artifact,
    page: ArtifactList,
    count: ArtifactCount,
    operation: "Artifacts",
    what: "artifacts",
  },
  {
    path: "/artifacts/latest",
    lists: LATEST_ARTIFACT_LISTS,
    record: ArtifactCollection,
    page: LatestArtifactList,
    count: LatestArtifactCount,
    operation: "LatestArtifacts",
    what: "the latest artifacts of each key",
  },
] as const;

export function artifactRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  listRoutes(api, ctx);

  api.post(
    "/artifacts/",
    {
      config: { isBulkWrite: true },
      bodyLimit: largeBody(api),
      schema: {
        tags: TAGS,
        operationId: "createArtifact",
        summary: "Create an artifact",
        body: ArtifactCreate,
        response: { 201: Artifact },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createArtifact(ctx, request.scope, request.body)),
  );

  api.get(
    "/artifacts/:id",
    {
      schema: {
        tags: TAGS,
        operationId: "readArtifact",
        summary: "Read an artifact",
        params: ById,
        response: { 200: Artifact },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readArtifact(ctx, request.scope, request.params.id)),
  );

  api.get(
    "/artifacts/:key/latest",
    {
      schema: {
        tags: TAGS,
        operationId: "readLatestArtifact",
        summary: "Read the latest artifact of a key",
        params: ArtifactKey,
        response: { 200: ArtifactCollection },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readLatestArtifact(ctx, request.scope, request.params.key)),
  );

  api.patch(
    "/artifacts/:id",
    {
      config: { isBulkWrite: true },
      bodyLimit: largeBody(api),
      schema: {
        tags: TAGS,
        operationId: "updateArtifact",
        summary: "Change the given fields of an artifact",
        params: ById,
        body: ArtifactUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await updateArtifact(ctx, request.scope, { id: request.params.id, changes: request.body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/artifacts/:id",
    {
      schema: {
        tags: TAGS,
        operationId: "deleteArtifact",
        summary: "Delete an artifact",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteArtifact(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}

function listRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  for (const { path, lists, record, page, count, operation, what } of LISTS) {
    api.post(
      `${path}/filter`,
      {
        schema: {
          tags: TAGS,
          operationId: `list${operation}`,
          summary: `List ${what}`,
          body: page,
          response: { 200: Type.Array(record) },
        },
      },
      async (request, reply) => {
        const { artifacts, include_data, sort, limit, offset, ...related } = request.body;
        const selection = { filter: artifacts, related, relations: ARTIFACT_RELATIONS };
        const queries = ctx.db.in(request.scope.workspaceId);
        const asked = { ...selection, sort, limit, offset };
        const { list, sizes } = include_data === false ? lists.withoutData : lists.whole;
        await assertPageFits(queries, sizes, asked);
        return sendJsonText(reply, await listBytes(queries, list, asked));
      },
    );

    api.post(
      `${path}/count`,
      {
        schema: {
          tags: TAGS,
          operationId: `count${operation}`,
          summary: `Count ${what}`,
          body: count,
          response: { 200: Type.Integer() },
        },
      },
      async (request) => {
        const { artifacts, ...related } = request.body;
        const selection = { filter: artifacts, related, relations: ARTIFACT_RELATIONS };
        return countRows(ctx.db.in(request.scope.workspaceId), lists.whole.list, selection);
      },
    );
  }
}
