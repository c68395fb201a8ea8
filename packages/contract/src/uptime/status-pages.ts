import { type Static, Type } from "typebox";
import {
  Flag,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { ListLimit } from "./list-limit.ts";

export const PAGE_PARTS = ["bars", "uptime", "latency", "incidents", "maintenance"] as const;
export type PagePart = (typeof PAGE_PARTS)[number];
export const PAGE_THEMES = ["auto", "light", "dark"] as const;
export const REPORT_STATES = ["investigating", "identified", "monitoring", "resolved"] as const;
export const REPORT_IMPACTS = ["none", "degraded", "down"] as const;

const MAX_SLUG = 60;
const MAX_TITLE = 100;
const MAX_DESCRIPTION = 2000;
const MAX_GROUPS = 50;
const MAX_IN_GROUP = 200;
const MAX_TAGS = 20;
const MAX_TAG = 50;
const MAX_LISTED = 200;
export const MAX_PAGE_MONITORS = 500;
export const MAX_STATUS_PAGES = 100;
export const MAX_REPORT_TEXT = 5000;
export const MAX_REPORT_UPDATES = 100;

const Slug = Type.String({
  pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
  maxLength: MAX_SLUG,
  description: "Where the page is: `/uptime/status/<slug>`. Each is taken once",
  examples: ["shop"],
});
const Title = Type.String({ minLength: 1, maxLength: MAX_TITLE });
const Description = Type.String({ maxLength: MAX_DESCRIPTION, description: "Shown as plain text" });
const Theme = StringEnum(PAGE_THEMES, {
  description: "`auto` follows the reader's system",
});
const Show = Type.Array(StringEnum(PAGE_PARTS), {
  maxItems: 20,
  description:
    "What the page tells beside names and states; all but `latency` when left out. Badges tell no more than this either",
});
const Published = Flag({
  description: "Whether anybody can see it, without logging in. False when left out",
});

const shownName = Nullable(Type.String({ maxLength: MAX_TITLE }), {
  description: "Shown in place of the monitor's own name",
});
const groupTags = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG }), {
  maxItems: MAX_TAGS,
  description: "Every monitor that has all of these tags, by name, behind those that are listed",
});

export const PageMonitor = Model({ id: Uuid(), name: shownName }, { $id: "PageMonitor" });
export const PageGroup = Model(
  {
    name: Title,
    monitors: Type.Array(PageMonitor, { maxItems: MAX_IN_GROUP }),
    tags: groupTags,
  },
  { $id: "PageGroup" },
);
export type PageGroup = Static<typeof PageGroup>;

const PageGroupInput = Model(
  {
    name: Title,
    monitors: Type.Optional(
      Type.Array(Model({ id: Uuid(), name: Type.Optional(shownName) }), {
        maxItems: MAX_IN_GROUP,
      }),
    ),
    tags: Type.Optional(groupTags),
  },
  { $id: "PageGroupInput" },
);
const Groups = Type.Array(PageGroupInput, {
  maxItems: MAX_GROUPS,
  description: `In the order of the page. A page shows at most ${MAX_PAGE_MONITORS} monitors`,
});
export type PageGroupInput = Static<typeof PageGroupInput>;

export const StatusPage = Model(
  {
    id: Uuid(),
    slug: Slug,
    title: Title,
    description: Nullable(Description),
    theme: Theme,
    published: Published,
    show: Show,
    groups: Type.Array(PageGroup, { maxItems: MAX_GROUPS }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { $id: "StatusPage" },
);
export type StatusPage = Static<typeof StatusPage>;

const optional = {
  description: Type.Optional(Nullable(Description)),
  theme: Type.Optional(Nullable(Theme)),
  published: Type.Optional(Nullable(Published)),
  show: Type.Optional(Nullable(Show)),
  groups: Type.Optional(Nullable(Groups)),
};

export const StatusPageCreate = Model(
  { slug: Slug, title: Title, ...optional },
  { $id: "StatusPageCreate" },
);
export type StatusPageCreate = Static<typeof StatusPageCreate>;

/**
 * Only the keys that are present change anything; null means unchanged, except for `description`.
 */
export const StatusPageUpdate = Model(
  {
    slug: Type.Optional(Nullable(Slug)),
    title: Type.Optional(Nullable(Title)),
    ...optional,
  },
  { $id: "StatusPageUpdate" },
);
export type StatusPageUpdate = Static<typeof StatusPageUpdate>;

const PageGroupEntry = Model(
  {
    name: Title,
    monitors: Type.Optional(
      Type.Array(
        Model({
          monitor: Type.String({ minLength: 1, maxLength: 1000, description: "Its name" }),
          name: Type.Optional(shownName),
        }),
        { maxItems: MAX_IN_GROUP },
      ),
    ),
    tags: Type.Optional(groupTags),
  },
  { $id: "PageGroupEntry" },
);
export type PageGroupEntry = Static<typeof PageGroupEntry>;

/** A page in a file: what people decide about it. Ids mean nothing outside of this server. */
export const StatusPageEntry = Model(
  {
    slug: Slug,
    title: Title,
    ...optional,
    groups: Type.Optional(Nullable(Type.Array(PageGroupEntry, { maxItems: MAX_GROUPS }))),
  },
  { $id: "StatusPageEntry" },
);
export type StatusPageEntry = Static<typeof StatusPageEntry>;

export const StatusPageId = Type.Object({ id: Uuid() }, { title: "Status page" });

const paging = {
  limit: ListLimit(MAX_LISTED, 100),
  offset: Offset(),
};
export const StatusPageList = NamedParameters(paging);

const ReportState = StringEnum(REPORT_STATES);
const ReportText = Type.String({
  minLength: 1,
  maxLength: MAX_REPORT_TEXT,
  description: "Shown as plain text",
});
const Impact = StringEnum(REPORT_IMPACTS, {
  description:
    "How bad it is while it is not resolved, whatever the monitors see; `none` when left out",
});
const ReportIncident = Nullable(Uuid(), {
  description: "The incident it is about: the page tells the two as one",
});

export const ReportUpdate = Model(
  { id: Uuid(), state: ReportState, text: ReportText, created_at: Timestamp() },
  { $id: "ReportUpdate" },
);
export type ReportUpdate = Static<typeof ReportUpdate>;

export const StatusReport = Model(
  {
    id: Uuid(),
    page_id: Uuid(),
    incident_id: ReportIncident,
    title: Title,
    impact: Impact,
    state: ReportState,
    created_at: Timestamp(),
    updated_at: Timestamp(),
    resolved_at: Nullable(Timestamp()),
    updates: Type.Array(ReportUpdate, { description: "The latest first" }),
  },
  { $id: "StatusReport" },
);
export type StatusReport = Static<typeof StatusReport>;

export const StatusReportCreate = Model(
  {
    title: Title,
    text: ReportText,
    state: Type.Optional(ReportState),
    impact: Type.Optional(Impact),
    incident_id: Type.Optional(ReportIncident),
  },
  { $id: "StatusReportCreate" },
);
export type StatusReportCreate = Static<typeof StatusReportCreate>;

export const StatusReportChange = Model(
  {
    title: Type.Optional(Title),
    impact: Type.Optional(Impact),
    incident_id: Type.Optional(ReportIncident),
  },
  { $id: "StatusReportChange" },
);
export type StatusReportChange = Static<typeof StatusReportChange>;

export const ReportUpdateCreate = Model(
  { text: ReportText, state: Type.Optional(ReportState) },
  { $id: "ReportUpdateCreate" },
);
export type ReportUpdateCreate = Static<typeof ReportUpdateCreate>;

export const ReportUpdateChange = Model({ text: ReportText }, { $id: "ReportUpdateChange" });

export const StatusReportId = Type.Object({ id: Uuid(), report: Uuid() }, { title: "Report" });
export const ReportUpdateId = Type.Object(
  { id: Uuid(), report: Uuid(), update: Uuid() },
  { title: "Update" },
);
export const StatusReportList = NamedParameters({
  resolved: Type.Optional(
    Flag({ description: "Only those that are resolved, or only those that are not" }),
  ),
  ...paging,
});
export type StatusReportList = Static<typeof StatusReportList>;
