import type { PageGroup, PagePart, StatusPage } from "@orchestrator/contract";
import type { Fields } from "@orchestrator/kernel/storage";

/** Whoever keeps what pages look like listens for this topic. */
export const STATUS_PAGES_TOPIC = "status-pages";

/** A row as it is stored: `show` and `groups` are JSON text. */
export interface StatusPageRow {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly theme: StatusPage["theme"];
  readonly published: boolean;
  readonly show: string;
  readonly groups: string;
}

/** What people decide about a page. */
export const STATUS_PAGE_DECIDED = [
  "slug",
  "title",
  "description",
  "theme",
  "published",
  "show",
  "groups",
] as const satisfies readonly (keyof StatusPageRow)[];

/** What may change of a row. */
export const STATUS_PAGE_CHANGEABLE = ["updated_at", ...STATUS_PAGE_DECIDED] as const;

export const STATUS_PAGE_COLUMNS = [
  "id",
  "created_at",
  ...STATUS_PAGE_CHANGEABLE,
] as const satisfies readonly (keyof StatusPageRow)[];

/** The record on the wire, in this order. */
export const STATUS_PAGE_FIELDS = {
  id: "id",
  slug: "text",
  title: "text",
  description: "text",
  theme: "text",
  published: "flag",
  show: "json",
  groups: "json",
  created_at: "time",
  updated_at: "time",
} as const satisfies Fields;

export const showOf = ({ show }: Pick<StatusPageRow, "show">): readonly PagePart[] =>
  JSON.parse(show) as readonly PagePart[];

export const groupsOf = ({ groups }: Pick<StatusPageRow, "groups">): readonly PageGroup[] =>
  JSON.parse(groups) as readonly PageGroup[];
