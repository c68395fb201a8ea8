import { StorageDefault, StorageDefaultUpdate } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import {
  readStorageDefault,
  setStorageDefault,
  unsetStorageDefault,
} from "./storage-defaults.service.ts";

const tags = ["Server"];

export function storageDefaultRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.get(
    "/admin/storage",
    {
      schema: {
        tags,
        operationId: "readStorageDefault",
        summary: "Which block keeps results where nothing else is said",
        response: { 200: StorageDefault },
      },
    },
    async (request) => readStorageDefault(ctx, request.scope),
  );

  api.put(
    "/admin/storage",
    {
      schema: {
        tags,
        operationId: "setStorageDefault",
        summary: "Choose the block that keeps results where nothing else is said",
        body: StorageDefaultUpdate,
        response: { 200: StorageDefault },
      },
    },
    async (request) =>
      setStorageDefault(ctx, request.scope, request.body.default_result_storage_block_id),
  );

  api.delete(
    "/admin/storage",
    {
      schema: {
        tags,
        operationId: "unsetStorageDefault",
        summary: "Let no block keep results unless something is said",
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await unsetStorageDefault(ctx, request.scope);
      return reply.code(204).send();
    },
  );
}
