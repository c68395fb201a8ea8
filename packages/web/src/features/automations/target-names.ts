// What the things are called that the actions of an automation are about: however many, one
// question to each service.
import type { Action, Deployment, SearchedKind } from "@orchestrator/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createContext } from "react";
import { api } from "../../api/client.ts";
import { uptime } from "../../api/uptime.ts";
import { useHasSession } from "../../api/uptime-session.ts";
import { actionTargetOf, type TargetKind } from "./action-kinds.ts";

export type NameKind = TargetKind | "block";

interface Target {
  readonly kind: NameKind;
  /** Null for the one that the event names. */
  readonly id: string | null;
}

export function targetIn(action: Action): Target | undefined {
  if ("block_document_id" in action) return { kind: "block", id: action.block_document_id || null };
  const target = actionTargetOf(action.type);
  if (target === undefined) return undefined;
  const id = (action as unknown as Record<string, unknown>)[target.field];
  return { kind: target.kind, id: typeof id === "string" ? id : null };
}

export interface TargetName {
  readonly name: string;
  readonly belongs_to: string | null;
}
export type TargetNames = ReadonlyMap<string, TargetName>;

/** By how they are called in requests. */
export const REQUESTED: Readonly<Record<Exclude<NameKind, "monitor">, SearchedKind>> = {
  deployment: "deployments",
  "work-pool": "work_pools",
  "work-queue": "work_queues",
  automation: "automations",
  block: "block_documents",
};

export function targetLabelOf(kind: NameKind, { name, belongs_to }: TargetName): string {
  if (belongs_to === null) return name;
  return kind === "block" ? `${name} (${belongs_to})` : `${belongs_to}/${name}`;
}

/** No automation has as many actions that people wrote. */
const MOST = 200;

export function useTargetNames(actions: readonly Action[]): TargetNames {
  const hasSession = useHasSession();
  const targets = actions.map(targetIn);
  const idsOf = (wanted: NameKind): string[] => {
    const ids = targets.map((target) => (target?.kind === wanted ? target.id : null));
    return [...new Set(ids.filter((id) => id !== null))].sort().slice(0, MOST);
  };
  const asked = Object.entries(REQUESTED)
    .map(([kind, requested]) => [requested, idsOf(kind as NameKind)] as const)
    .filter(([, ids]) => ids.length > 0);
  const named = useQuery({
    queryKey: ["names", asked],
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.names.read(Object.fromEntries(asked), { signal }),
  });
  const monitorIds = idsOf("monitor");
  const monitors = useQuery({
    queryKey: ["monitors", "names", monitorIds],
    enabled: monitorIds.length > 0 && hasSession,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const of = { id: monitorIds, limit: monitorIds.length };
      return (await uptime.monitors.overview(of, { signal })).monitors;
    },
  });
  return new Map<string, TargetName>([
    ...(named.data ?? []).map((one) => [one.id, one] as const),
    ...(monitors.data ?? []).map(({ id, name }) => [id, { name, belongs_to: null }] as const),
  ]);
}

type Deployments = ReadonlyMap<string, Deployment>;

/** The deployments that the actions run: their parameters make the form. */
export function useRunDeployments(actions: readonly Action[]): Deployments {
  const ids = actions.map((action) =>
    action.type === "run-deployment" ? (action.deployment_id ?? null) : null,
  );
  const any_ = [...new Set(ids.filter((id) => id !== null))].sort().slice(0, MOST);
  const { data = [] } = useQuery({
    queryKey: ["deployments", "run-by-automation", any_],
    enabled: any_.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.deployments.list({ deployments: { id: { any_ } } }, { signal }),
  });
  return new Map(data.map((deployment) => [deployment.id, deployment]));
}

/** What a form knows of everything that its actions are about. */
export const TargetsContext = createContext<{
  readonly names: TargetNames;
  readonly deployments: Deployments;
}>({ names: new Map(), deployments: new Map() });
