import type { ConcurrencyLimitState } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { Link } from "../../app/link.tsx";

/** How the limits are named that deployments have of their own. */
const OF_DEPLOYMENT = /^deployment:([0-9a-f-]{36})$/;

const deploymentOf = (name: string): string | undefined => OF_DEPLOYMENT.exec(name)?.[1];

/** The names of the deployments that limits belong to, by id, in one request. */
export function useDeploymentsOf(
  limits: readonly ConcurrencyLimitState[] | undefined,
): ReadonlyMap<string, string> | undefined {
  const ids = (limits ?? []).flatMap(({ name }) => deploymentOf(name) ?? []).toSorted();
  return useQuery({
    queryKey: ["deployments", "names", ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const found = await api.deployments.list({ deployments: { id: { any_: ids } } }, { signal });
      return new Map(found.map(({ id, name }) => [id, name]));
    },
  }).data;
}

/** A limit by its name, or by the deployment whose own it is. */
export function LimitName({
  name,
  deployments,
}: {
  readonly name: string;
  readonly deployments: ReadonlyMap<string, string> | undefined;
}): JSX.Element {
  const id = deploymentOf(name);
  if (id === undefined) return <div className="cut">{name}</div>;
  return (
    <div className="stack-tight" style={{ gap: 0 }} title={name}>
      <div className="cut">
        <Link to={`/deployments/${id}`}>{deployments?.get(id) ?? id}</Link>
      </div>
      <span className="soft">deployment</span>
    </div>
  );
}
