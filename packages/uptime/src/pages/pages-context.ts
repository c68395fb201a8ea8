import type { MaintenanceContext } from "../maintenance/maintenance-context.ts";
import type { PublicPages } from "./public-pages.ts";

export interface PagesContext extends MaintenanceContext {
  /** The published status pages, as this process knows them. */
  readonly pages: PublicPages;
}
