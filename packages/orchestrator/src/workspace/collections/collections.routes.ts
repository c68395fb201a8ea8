import { JsonObject } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import { Type } from "typebox";
import { WORKER_METADATA } from "./worker-metadata.ts";

/** What can be looked up without leaving the server. */
const VIEWS: ReadonlyMap<string, object> = new Map<string, object>([
  ["aggregate-worker-metadata", WORKER_METADATA],
  ["aggregate-block-metadata", {}],
  ["aggregate-flow-metadata", {}],
  ["demo-flows", {}],
]);

const ByView = Type.Object({ view: Type.String() });

export function collectionRoutes(api: ApiInstance): void {
  api.get(
    "/collections/views/:view",
    {
      schema: {
        tags: ["Collections"],
        operationId: "readCollectionView",
        summary: "What packages offer, such as kinds of workers",
        params: ByView,
        response: { 200: JsonObject() },
      },
    },
    async (request) => {
      const view = VIEWS.get(request.params.view);
      if (view === undefined)
        throw new AppError("not_found", `View ${request.params.view} not found`);
      return view;
    },
  );
}
