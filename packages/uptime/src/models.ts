// What the API takes and answers that holds checks. The contract knows every field of it, and of a
// check its type; the options are those of the types in the registry: requests are measured and the
// document is written with them.

import * as contract from "@orchestrator/contract";
import { type Static, type TArray, type TObject, type TProperties, Type } from "typebox";
import { CheckConfig } from "./checks/registry.ts";

const pipeline = Type.Array(CheckConfig, listOptions(contract.MonitorPipeline));
const optional = { pipeline: Type.Optional(contract.Nullable(pipeline)) };

export const Monitor = like(contract.Monitor, { ...contract.Monitor.properties, pipeline });
export type Monitor = Static<typeof Monitor>;

export const MonitorCreate = like(contract.MonitorCreate, {
  ...contract.MonitorCreate.properties,
  ...optional,
});
export type MonitorCreate = Static<typeof MonitorCreate>;

export const MonitorUpdate = like(contract.MonitorUpdate, {
  ...contract.MonitorUpdate.properties,
  ...optional,
});
export type MonitorUpdate = Static<typeof MonitorUpdate>;

export const CheckTrial = like(contract.CheckTrial, {
  ...contract.CheckTrial.properties,
  ...optional,
});
export type CheckTrial = Static<typeof CheckTrial>;

const MonitorOverview = like(contract.MonitorOverview, {
  ...contract.MonitorOverview.properties,
  pipeline,
});
export type MonitorOverview = Static<typeof MonitorOverview>;

export const MonitorsOverview = like(contract.MonitorsOverview, {
  ...contract.MonitorsOverview.properties,
  monitors: Type.Array(MonitorOverview),
});
export type MonitorsOverview = Static<typeof MonitorsOverview>;

const MonitorEntry = like(contract.MonitorEntry, {
  ...contract.MonitorEntry.properties,
  ...optional,
});
export type MonitorEntry = Static<typeof MonitorEntry>;

const { monitors } = contract.UptimeDocument.properties;
export const UptimeDocument = like(contract.UptimeDocument, {
  ...contract.UptimeDocument.properties,
  monitors: Type.Optional(Type.Array(MonitorEntry, listOptions(monitors))),
});
export type UptimeDocument = Static<typeof UptimeDocument>;

/** A record of the same name, and with all else that is said of it, that has these fields. */
function like<Fields extends TProperties>(
  { type: _type, required: _required, properties: _properties, ...options }: TObject,
  fields: Fields,
): TObject<Fields> {
  return Type.Object(fields, options);
}

function listOptions({ type: _type, items: _items, ...options }: TArray) {
  return options;
}
