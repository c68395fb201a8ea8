// What runs can be narrowed to by name.
import type { NamedThing } from "@orchestrator/contract";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { NameSource } from "../../ui/name-picker.tsx";

const MOST = 20;

const named = (text: string) => (text === "" ? {} : { name: { like_: text } });

export const FLOWS: NameSource = {
  key: "flows",
  find: (text, signal) =>
    api.flows.list({ flows: named(text), sort: "NAME_ASC", limit: MOST }, { signal }),
};

/** Deployments of several flows may have one name, so that of the flow stands before it. */
export const DEPLOYMENTS: NameSource = {
  key: "deployments",
  find: async (text, signal) => {
    const deployments = await api.deployments.list(
      {
        deployments:
          text === "" ? {} : { flow_or_deployment_name: { like_: text.split("/").at(-1) ?? "" } },
        sort: "NAME_ASC",
        limit: MOST,
      },
      { signal },
    );
    const ids = [...new Set(deployments.map(({ flow_id }) => flow_id))];
    const flows =
      ids.length === 0 ? [] : await api.flows.list({ flows: { id: { any_: ids } } }, { signal });
    const names = new Map(flows.map(({ id, name }) => [id, name]));
    return deployments.map(({ id, name, flow_id }) => ({
      id,
      name: `${names.get(flow_id) ?? "?"}/${name}`,
    }));
  },
};

/** Pools are known by their names alone. */
export const POOL_NAMES: NameSource = {
  key: "work-pools",
  find: async (text, signal) => {
    const pools = await api.workPools.list({ limit: 200 }, { signal });
    const wanted = text.toLowerCase();
    return pools
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ name }) => ({ id: name, name }));
  },
};

/** What the chosen flow and deployment are called; an id that names nothing stays as it is. */
export const chosenNames = (chosen: { readonly flow: string; readonly deployment: string }) =>
  queryOptions({
    queryKey: ["names", "chosen", chosen],
    enabled: chosen.flow !== "" || chosen.deployment !== "",
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { flow, deployment } = chosen;
      const names = await api.names.read(
        { flows: idsOf(flow), deployments: idsOf(deployment) },
        { signal },
      );
      const found = new Map(names.map((one) => [one.id, labelOf(one)]));
      return { flow: found.get(flow) ?? flow, deployment: found.get(deployment) ?? deployment };
    },
  });

const idsOf = (id: string): string[] => (id === "" ? [] : [id]);
const labelOf = ({ name, belongs_to }: NamedThing): string =>
  belongs_to === null ? name : `${belongs_to}/${name}`;
