import type { Incident, IncidentAcknowledge, IncidentList } from "@orchestrator/contract";
import { eachGot, ensure, get, getWith } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<IncidentList>;

const MAX_PAGE = 1000;

export const incidents = {
  read: get<(id: string) => Incident>("/incidents/{id}"),
  list: getWith<(query?: List) => Incident[]>("/incidents"),
  each: eachGot<(query?: List) => Incident>("/incidents", MAX_PAGE),
  listOfMonitor: getWith<(monitorId: string, query?: List) => Incident[]>(
    "/monitors/{id}/incidents",
  ),
  eachOfMonitor: eachGot<(monitorId: string, query?: List) => Incident>(
    "/monitors/{id}/incidents",
    MAX_PAGE,
  ),
  acknowledge: ensure<(id: string, note?: IncidentAcknowledge) => Incident>(
    "/incidents/{id}/acknowledge",
  ),
};
