import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  JsonValue,
  Model,
  NamedParameters,
  Nullable,
  StringEnum,
  Uuid,
} from "../schema/index.ts";
import { MAX_WINDOWS, MaintenanceEntry } from "./maintenance.ts";
import { MonitorEntry, MonitorTagFilter } from "./monitors.ts";
import { MAX_STATUS_PAGES, StatusPageEntry } from "./status-pages.ts";

export const DOCUMENT_VERSION = 1;
export const MAX_DOCUMENT_MONITORS = 5000;
/** Stands in a file for a secret that the server keeps and does not tell. */
export const STORED_SECRET = "$" + "{stored}";

export const UptimeDocument = Model(
  {
    version: Type.Literal(DOCUMENT_VERSION),
    monitors: Type.Optional(
      Type.Array(MonitorEntry, {
        maxItems: MAX_DOCUMENT_MONITORS,
        description: "Each name once: a monitor is found again by its name",
      }),
    ),
    maintenance: Type.Optional(
      Type.Array(MaintenanceEntry, {
        maxItems: MAX_WINDOWS,
        description: "Each name once: a window is found again by its name",
      }),
    ),
    status_pages: Type.Optional(
      Type.Array(StatusPageEntry, {
        maxItems: MAX_STATUS_PAGES,
        description: "Each slug once: a page is found again by its slug",
      }),
    ),
  },
  {
    $id: "UptimeDocument",
    description: "What the uptime service is to watch. A section that is left out is left alone",
  },
);
export type UptimeDocument = Static<typeof UptimeDocument>;

export const DOCUMENT_FORMATS = ["json", "yaml"] as const;

export const ExportQuery = NamedParameters({
  format: StringEnum(DOCUMENT_FORMATS, { default: "json" }),
  tag: Type.Optional(MonitorTagFilter),
});
export type ExportQuery = Static<typeof ExportQuery>;

export const ImportQuery = NamedParameters({
  dry_run: Flag({ default: false, description: "Only tell what would be done" }),
  prune: Flag({
    default: false,
    description: "Delete what the sections of the document do not name, with its history",
  }),
});
export type ImportQuery = Static<typeof ImportQuery>;

export const IMPORT_ACTIONS = ["created", "updated", "unchanged", "deleted"] as const;

export const ImportDifference = Model(
  {
    field: Type.String({
      description:
        "`interval`, `pipeline[0].timeout_ms`; a secret by its place, `instance/password`",
    }),
    before: JsonValue({ description: "Null where there was nothing" }),
    after: JsonValue({ description: "Null where there is nothing any more" }),
    secret: Type.Boolean({ description: "Whether it is a secret; neither value is told then" }),
  },
  { $id: "ImportDifference" },
);
export type ImportDifference = Static<typeof ImportDifference>;

export const ImportedItem = Model(
  {
    name: Type.String({ description: "The slug of a status page" }),
    id: Nullable(Uuid(), {
      description: "Null where there is none: it would be created, or was over",
    }),
    action: StringEnum(IMPORT_ACTIONS),
    differences: Type.Array(ImportDifference, { description: "What an update changes" }),
  },
  { $id: "ImportedItem" },
);
export type ImportedItem = Static<typeof ImportedItem>;

const Count = () => Int({ minimum: 0 });

export const ImportedSection = Model(
  {
    created: Count(),
    updated: Count(),
    unchanged: Count(),
    deleted: Count(),
    items: Type.Array(ImportedItem, {
      description: "In the order of the document, those deleted last",
    }),
  },
  { $id: "ImportedSection" },
);
export type ImportedSection = Static<typeof ImportedSection>;

export const DOCUMENT_SECTIONS = ["monitors", "maintenance", "status_pages"] as const;
export type DocumentSection = (typeof DOCUMENT_SECTIONS)[number];

const Outcome = () =>
  Nullable(ImportedSection, { description: "Null where the document has no such section" });

export const ImportOutcome = Model(
  {
    dry_run: Type.Boolean(),
    monitors: Outcome(),
    maintenance: Outcome(),
    status_pages: Outcome(),
  },
  { $id: "ImportOutcome" },
);
export type ImportOutcome = Static<typeof ImportOutcome>;
