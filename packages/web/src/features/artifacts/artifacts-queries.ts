import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

const PAGE_SIZE = 50;
/** So many versions of a key are listed. */
export const MOST_VERSIONS = 50;

export interface ArtifactsQuery {
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  readonly page: number;
}

/** The newest artifact of each key. */
export const latestArtifacts = (wanted: ArtifactsQuery) =>
  queryOptions({
    queryKey: ["artifacts", "latest", wanted],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { text, type, page } = wanted;
      const artifacts = {
        ...(text && { key: { like_: text } }),
        ...(type && { type: { any_: [type] } }),
      };
      const [rows, count] = await Promise.all([
        api.artifacts.listLatest(
          {
            artifacts,
            sort: "KEY_ASC",
            limit: PAGE_SIZE,
            offset: (page - 1) * PAGE_SIZE,
            include_data: false,
          },
          { signal },
        ),
        api.artifacts.countLatest({ artifacts }, { signal }),
      ]);
      return { rows, count, pages: Math.max(1, Math.ceil(count / PAGE_SIZE)) };
    },
  });

/** The newest artifacts of a key, without their data. */
export const historyOf = (key: string) =>
  queryOptions({
    queryKey: ["artifacts", "history", key],
    queryFn: ({ signal }) =>
      api.artifacts.list(
        {
          artifacts: { key: { any_: [key] } },
          sort: "CREATED_DESC",
          limit: MOST_VERSIONS,
          include_data: false,
        },
        { signal },
      ),
  });

export const artifactOf = (id: string | undefined) =>
  queryOptions({
    queryKey: ["artifacts", "one", id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => api.artifacts.read(id ?? "", { signal }),
  });

/** Each run once, in an order that stays. */
export const runIdsOf = (rows: readonly { readonly flow_run_id: string | null }[] = []): string[] =>
  [
    ...new Set(rows.flatMap(({ flow_run_id }) => (flow_run_id === null ? [] : [flow_run_id]))),
  ].sort();
