import type { UptimeContext } from "../context.ts";
import type { MaintenanceCalendar } from "./maintenance-calendar.ts";

export interface MaintenanceContext extends UptimeContext {
  /** The maintenance windows, as this process knows them. */
  readonly maintenance: MaintenanceCalendar;
}
