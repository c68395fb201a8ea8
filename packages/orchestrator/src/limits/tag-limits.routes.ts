import {
  ById,
  TagLimit,
  TagLimitCreate,
  TagLimitList,
  TagLimitReset,
  TagLimitTag,
  TagSlots,
  TouchedLimit,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import {
  deleteTagLimit,
  listTagLimits,
  readTagLimit,
  resetTagLimit,
  returnTagSlots,
  setTagLimit,
  takeTagSlots,
} from "./tag-limits.service.ts";

/** A tag's limit has two addresses; both take the same verbs. */
const ADDRESSES = [
  { path: "/concurrency_limits/:id", params: ById, operation: "TagLimit", by: "by id" },
  {
    path: "/concurrency_limits/tag/:tag",
    params: TagLimitTag,
    operation: "TagLimitByTag",
    by: "by tag",
  },
] as const;

export function tagLimitRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Tag limits"];

  api.post(
    "/concurrency_limits/",
    {
      schema: {
        tags,
        operationId: "setTagLimit",
        summary: "Limit the task runs with a tag, or change the limit there is",
        body: TagLimitCreate,
        response: { 200: TagLimit, 201: TagLimit },
      },
    },
    async (request, reply) => {
      const { isNew, record } = await setTagLimit(ctx, request.scope, request.body);
      return reply.code(isNew ? 201 : 200).send(record);
    },
  );

  api.post(
    "/concurrency_limits/filter",
    {
      schema: {
        tags,
        operationId: "listTagLimits",
        summary: "List the limits on tags",
        body: TagLimitList,
        response: { 200: Type.Array(TagLimit) },
      },
    },
    async (request) => listTagLimits(ctx, request.scope, request.body),
  );

  for (const { path, params, operation, by } of ADDRESSES) {
    api.get(
      path,
      {
        schema: {
          tags,
          operationId: `read${operation}`,
          summary: `Read the limit on a tag ${by}`,
          params,
          response: { 200: TagLimit },
        },
      },
      async (request) => readTagLimit(ctx, request.scope, request.params),
    );

    api.delete(
      path,
      {
        schema: {
          tags,
          operationId: `delete${operation}`,
          summary: `Delete the limit on a tag ${by}`,
          params,
          response: { 200: Type.Null() },
        },
      },
      async (request) => {
        await deleteTagLimit(ctx, request.scope, request.params);
        return null;
      },
    );
  }

  api.post(
    "/concurrency_limits/tag/:tag/reset",
    {
      schema: {
        tags,
        operationId: "resetTagLimit",
        summary: "Take all slots of a tag back, or leave them to the task runs given",
        params: TagLimitTag,
        body: TagLimitReset,
        response: { 200: Type.Null() },
      },
    },
    async (request) => {
      const { slot_override: taskRunIds = [] } = request.body;
      await resetTagLimit(ctx, request.scope, { tag: request.params.tag, taskRunIds });
      return null;
    },
  );

  api.post(
    "/concurrency_limits/increment",
    {
      schema: {
        tags,
        operationId: "takeTagSlots",
        summary: "Take a slot of each tag for a task run, or of none",
        body: TagSlots,
        response: { 200: Type.Array(TouchedLimit) },
      },
    },
    async (request) => takeTagSlots(ctx, request.scope, request.body),
  );

  api.post(
    "/concurrency_limits/decrement",
    {
      schema: {
        tags,
        operationId: "returnTagSlots",
        summary: "Give a task run's slots of some tags back",
        body: TagSlots,
        response: { 200: Type.Array(TouchedLimit) },
      },
    },
    async (request) => returnTagSlots(ctx, request.scope, request.body),
  );
}
