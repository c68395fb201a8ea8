import type { Action } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { Link } from "../../app/link.tsx";
import { targetOf } from "./action-kinds.ts";

/** What an action is about, by its name where there is a page for it. */
export function ActionTarget({ action }: { readonly action: Action }): JSX.Element | null {
  if ("block_document_id" in action)
    return (
      <>
        <Named kind="block" id={action.block_document_id} />
        {"subject" in action && action.subject && <span className="soft"> {action.subject}</span>}
      </>
    );
  const target = targetOf(action.type);
  if (target === undefined) return null;
  const id = (action as unknown as Record<string, unknown>)[target.field];
  return typeof id === "string" ? (
    <Named kind={target.kind} id={id} />
  ) : (
    <span className="soft">the one that the event names</span>
  );
}

type Reader = (id: string, options: { signal: AbortSignal }) => Promise<{ readonly name: string }>;

const KINDS: Readonly<Record<string, readonly [page: string, read: Reader]>> = {
  block: ["/blocks", (id, options) => api.blockDocuments.read(id, {}, options)],
  deployment: ["/deployments", (id, options) => api.deployments.read(id, options)],
  automation: ["/automations", (id, options) => api.automations.read(id, options)],
};

function Named({ kind, id }: { readonly kind: string; readonly id: string }): JSX.Element {
  const [page, read] = KINDS[kind] ?? [];
  const { data } = useQuery({
    queryKey: [`${kind}s`, "name", id],
    enabled: read !== undefined,
    queryFn: async ({ signal }) => (await read?.(id, { signal }))?.name ?? null,
  });
  if (kind === "monitor") return <Link to={`/monitors/${id}`}>{`monitor ${id.slice(0, 8)}`}</Link>;
  if (page === undefined) return <code>{id}</code>;
  return <Link to={`${page}/${id}`}>{data ?? id}</Link>;
}
