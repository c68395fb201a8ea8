import { queryOptions } from "@tanstack/react-query";
import { api, exactApi } from "../../api/client.ts";

const MOST = 200;

export const allBlocks = (text: string) =>
  queryOptions({
    queryKey: ["blocks", "all", text],
    queryFn: ({ signal }) =>
      api.blockDocuments.list(
        {
          ...(text && { block_documents: { name: { like_: text } } }),
          sort: "BLOCK_TYPE_AND_NAME_ASC",
          limit: MOST,
          include_data: false,
        },
        { signal },
      ),
  });

/** The newest schema of each type, which tells all about the type too. */
export const blockCatalogue = queryOptions({
  queryKey: ["blocks", "catalogue"],
  queryFn: async ({ signal }) => {
    const schemas = await api.blockSchemas.list({ limit: MOST }, { signal });
    const newest = new Map<string, (typeof schemas)[number]>();
    for (const schema of schemas) {
      const known = newest.get(schema.block_type_id);
      if (known === undefined || known.created < schema.created)
        newest.set(schema.block_type_id, schema);
    }
    return [...newest.values()].sort((a, b) =>
      (a.block_type?.name ?? "").localeCompare(b.block_type?.name ?? "", "en"),
    );
  },
});

export const blockOf = (id: string) =>
  queryOptions({
    queryKey: ["blocks", "one", id],
    queryFn: ({ signal }) => exactApi.blockDocuments.read(id, {}, { signal }),
  });
