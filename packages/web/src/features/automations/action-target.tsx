import type { Action } from "@orchestrator/contract";
import { useQueries } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { uptime } from "../../api/uptime.ts";
import { useHasSession } from "../../api/uptime-session.ts";
import { Link } from "../../app/link.tsx";
import { type TargetKind, targetOf } from "./action-kinds.ts";

type Kind = TargetKind | "block";

interface Target {
  readonly kind: Kind;
  /** Null for the one that the event names. */
  readonly id: string | null;
}

function targetIn(action: Action): Target | undefined {
  if ("block_document_id" in action) return { kind: "block", id: action.block_document_id };
  const target = targetOf(action.type);
  if (target === undefined) return undefined;
  const id = (action as unknown as Record<string, unknown>)[target.field];
  return { kind: target.kind, id: typeof id === "string" ? id : null };
}

interface Named {
  readonly id: string;
  readonly name?: string | null;
  readonly work_pool_name?: string | null;
}

interface Ids {
  readonly id: { readonly any_: string[] };
}
interface Options {
  readonly signal: AbortSignal;
}

/** All of one kind at once, so that a page asks once for each kind however many actions there are. */
const LISTS: Readonly<Record<Kind, (of: Ids, options: Options) => Promise<readonly Named[]>>> = {
  block: (block_documents, options) => api.blockDocuments.list({ block_documents }, options),
  deployment: (deployments, options) => api.deployments.list({ deployments }, options),
  "work-pool": (work_pools, options) => api.workPools.list({ work_pools }, options),
  "work-queue": (work_queues, options) => api.workQueues.list({ work_queues }, options),
  automation: (automations, options) => api.automations.list({ automations }, options),
  monitor: async ({ id: { any_ } }, options) =>
    (await uptime.monitors.overview({ id: any_, limit: any_.length }, options)).monitors,
};
const KINDS = Object.keys(LISTS) as readonly Kind[];

export type TargetNames = ReadonlyMap<string, Named>;

/** What everything that the actions are about is called. */
export function useTargetNames(actions: readonly Action[]): TargetNames {
  const hasSession = useHasSession();
  const targets = actions.map(targetIn);
  const found = useQueries({
    queries: KINDS.map((kind) => {
      const ids = targets.map((target) => (target?.kind === kind ? target.id : null));
      const any_ = [...new Set(ids.filter((id) => id !== null))].sort();
      return {
        queryKey: [`${kind}s`, "names", any_],
        enabled: any_.length > 0 && (kind !== "monitor" || hasSession),
        queryFn: ({ signal }: Options) => LISTS[kind]({ id: { any_ } }, { signal }),
      };
    }),
  });
  return new Map(found.flatMap(({ data = [] }) => data.map((one) => [one.id, one])));
}

/** What an action is about, with a link to its page. */
export function ActionTarget({
  action,
  names,
}: {
  readonly action: Action;
  readonly names: TargetNames;
}): JSX.Element | null {
  const target = targetIn(action);
  if (target === undefined) return null;
  const { kind, id } = target;
  if (id === null) return <span className="soft">the one that the event names</span>;
  const known = names.get(id);
  const path = known === undefined ? undefined : pathOf(kind, known);
  const name = known?.name ?? id;
  return (
    <>
      {path === undefined ? <code>{name}</code> : <Link to={path}>{name}</Link>}
      {"subject" in action && action.subject && <span className="soft"> {action.subject}</span>}
    </>
  );
}

/** Pools have their name in the address, and queues are on the page of their pool. */
function pathOf(kind: Kind, { id, name, work_pool_name }: Named): string | undefined {
  if (kind !== "work-pool" && kind !== "work-queue") return `/${kind}s/${id}`;
  const pool = kind === "work-pool" ? name : work_pool_name;
  return pool ? `/work-pools/${encodeURIComponent(pool)}` : undefined;
}
