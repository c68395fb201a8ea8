import type { ConcurrencyLimitState, NamedThing } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { PageLink } from "../../navigation/link.tsx";

/** How the limits are named that deployments have of their own. */
const OF_DEPLOYMENT = /^deployment:([0-9a-f-]{36})$/;

const deploymentOf = (name: string): string | undefined => OF_DEPLOYMENT.exec(name)?.[1];

type Deployments = ReadonlyMap<string, NamedThing>;
/** As many as one request may name. */
const MOST = 200;

/** The names of the deployments that limits belong to, by id, in one request. */
export function useDeploymentsOf(
  limits: readonly ConcurrencyLimitState[] | undefined,
): Deployments | undefined {
  const ids = (limits ?? [])
    .flatMap(({ name }) => deploymentOf(name) ?? [])
    .toSorted()
    .slice(0, MOST);
  return useQuery({
    queryKey: ["deployments", "names", ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const found = await api.names.read({ deployments: ids }, { signal });
      return new Map(found.map((one) => [one.id, one]));
    },
  }).data;
}

/** A limit by its name, or by the deployment whose own it is. */
export function LimitName({
  name,
  deployments,
}: {
  readonly name: string;
  readonly deployments: Deployments | undefined;
}): JSX.Element {
  const id = deploymentOf(name);
  if (id === undefined) return <div className="cut">{name}</div>;
  const { name: label = id, belongs_to: flow = null } = deployments?.get(id) ?? {};
  return (
    <div className="stack-tight" style={{ gap: 0 }} title={name}>
      <div className="cut">
        <PageLink to={`/deployments/${id}`}>{label}</PageLink>
      </div>
      <div className="cut soft">{flow === null ? "deployment" : `deployment of ${flow}`}</div>
    </div>
  );
}
