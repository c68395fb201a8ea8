import type {
  MaintenanceCreate,
  MaintenanceList,
  MaintenanceUpdate,
  MaintenanceWindow,
} from "@orchestrator/contract";
import { del, eachGot, get, getWith, patch, post, put, trigger } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<MaintenanceList>;

const MAX_PAGE = 1000;

export const maintenance = {
  create: post<(window: MaintenanceCreate) => MaintenanceWindow>("/maintenance"),
  read: get<(id: string) => MaintenanceWindow>("/maintenance/{id}"),
  /** Changes the given fields. */
  update: patch<(id: string, changes: MaintenanceUpdate) => MaintenanceWindow>("/maintenance/{id}"),
  /** The same by PUT. */
  put: put<(id: string, changes: MaintenanceUpdate) => MaintenanceWindow>("/maintenance/{id}"),
  delete: del<(id: string) => void>("/maintenance/{id}"),
  list: getWith<(query?: List) => MaintenanceWindow[]>("/maintenance"),
  each: eachGot<(query?: List) => MaintenanceWindow>("/maintenance", MAX_PAGE),
  /** Ends the one that takes place now. */
  finish: trigger<(id: string) => MaintenanceWindow>("/maintenance/{id}/finish"),
};
