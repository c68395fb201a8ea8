import type {
  Automation,
  AutomationCount,
  AutomationCreate,
  AutomationList,
  AutomationReplace,
  AutomationSimulate,
  AutomationSimulation,
  AutomationSwitch,
  AutomationTrace,
  Delivery,
  DeliveryCount,
  DeliveryList,
  MonitorAlertCreate,
  Static,
} from "@orchestrator/contract";
import { del, each, ensure, get, patch, post, put, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof AutomationList>>;
type Deliveries = OptionalDefaults<Static<typeof DeliveryList>>;

export const automations = {
  create: post<(automation: AutomationCreate) => Automation>("/automations/"),
  /** Makes sure that somebody is told when monitors go down. */
  putMonitorAlert: ensure<(alert: MonitorAlertCreate) => Automation>("/automations/monitor_alerts"),
  read: get<(id: string) => Automation>("/automations/{id}"),
  replace: put<(id: string, automation: AutomationReplace) => void>("/automations/{id}"),
  /** Switches it on or off. */
  switch: patch<(id: string, to: Static<typeof AutomationSwitch>) => void>("/automations/{id}"),
  delete: del<(id: string) => void>("/automations/{id}"),
  list: query<(filter?: List) => Automation[]>("/automations/filter"),
  each: each<(filter?: List) => Automation>("/automations/filter"),
  count: query<(filter?: Static<typeof AutomationCount>) => number>("/automations/count"),
  listRelatedTo: get<(resourceId: string) => Automation[]>("/automations/related-to/{resource_id}"),
  deleteOwnedBy: del<(resourceId: string) => void>("/automations/owned-by/{resource_id}"),
  /** What its trigger has looked at lately, and why it fired or did not. */
  trace: get<(id: string) => AutomationTrace>("/automations/{id}/trace"),
  /** What a trigger would have done with past or given events. */
  simulate:
    query<(request?: OptionalDefaults<AutomationSimulate>) => AutomationSimulation>(
      "/automations/simulate",
    ),
  /** Says by an error what is wrong with a template for a message of an automation. */
  validateTemplate: query<(template: string | null) => void>("/automations/templates/validate"),
  readDelivery: get<(id: string) => Delivery>("/automations/deliveries/{id}"),
  listDeliveries: query<(filter?: Deliveries) => Delivery[]>("/automations/deliveries/filter"),
  eachDelivery: each<(filter?: Deliveries) => Delivery>("/automations/deliveries/filter"),
  countDeliveries: query<(filter?: Static<typeof DeliveryCount>) => number>(
    "/automations/deliveries/count",
  ),
};
