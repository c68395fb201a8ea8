import { orchestratorResources } from "./orchestrator-resources.ts";
import { bindResource } from "./transport/bind.ts";
import type { BoundResource, ClientResource } from "./transport/operation.ts";
import type { HttpTransport, TransportOptions } from "./transport/request.ts";
import { createTransport } from "./transport/transport.ts";

export type BoundResources<Resources> = {
  readonly [Name in keyof Resources]: BoundResource<Resources[Name]>;
};

/** The orchestration API: `client.flows.create(…)`, `client.flowRuns.setState(…)`. */
export interface OrchestratorClient extends BoundResources<typeof orchestratorResources> {
  /** Where the API is, without a slash at the end. */
  readonly url: string;
}

/** What every client takes. */
export type ClientOptions = TransportOptions;

/** A client of the orchestration API at `url`. */
export function createClient(options: ClientOptions): OrchestratorClient {
  const transport = createTransport(options);
  return { url: transport.url, ...bindAll(transport, orchestratorResources) };
}

export function bindAll<Resources extends Readonly<Record<string, ClientResource>>>(
  transport: HttpTransport,
  resources: Resources,
): BoundResources<Resources> {
  const bound = Object.entries(resources).map(([name, entries]) => [
    name,
    bindResource(transport, entries),
  ]);
  return Object.fromEntries(bound) as BoundResources<Resources>;
}
