// What is sent for a status page, as it is kept: trimmed, without duplicates, within the bounds
// that no schema can state.

import {
  MAX_PAGE_MONITORS,
  PAGE_PARTS,
  type PageGroup,
  type PageGroupInput,
  type StatusPageCreate,
  type StatusPageUpdate,
} from "@orchestrator/contract";
import { InvalidRequestError, type RequestProblem } from "@orchestrator/kernel/http";
import {
  groupsOf,
  STATUS_PAGE_DECIDED,
  type StatusPageRow,
} from "../db/tables/status-pages.table.ts";

/** What people decide about a page, as columns. */
export type PageDraft = Pick<StatusPageRow, (typeof STATUS_PAGE_DECIDED)[number]>;

const DEFAULTS: Omit<PageDraft, "slug" | "title"> = {
  description: null,
  theme: "auto",
  published: false,
  // How fast a service answers is nobody else's business unless somebody says so.
  show: JSON.stringify(PAGE_PARTS.filter((part) => part !== "latency")),
  groups: "[]",
};

export function pageDraftOf(body: StatusPageCreate): PageDraft {
  const { slug, title } = body;
  return { ...DEFAULTS, slug, title, ...receivePage(body) };
}

/** Only what was given; throws with all that is wrong with it. */
export function receivePage(given: StatusPageUpdate): Partial<PageDraft> {
  const problems: RequestProblem[] = [];
  const refuse = (field: string, msg: string): void => {
    problems.push(problemOf([field], msg));
  };
  const draft: { -readonly [Key in keyof PageDraft]?: PageDraft[Key] } = {};

  if (given.slug != null) draft.slug = given.slug;
  if (given.title != null) {
    draft.title = given.title.trim();
    if (draft.title === "") refuse("title", "a title is more than white space");
  }
  if (given.description !== undefined) draft.description = given.description?.trim() || null;
  if (given.theme != null) draft.theme = given.theme;
  if (given.published != null) draft.published = given.published;
  if (given.show != null) {
    const { show } = given;
    draft.show = JSON.stringify(PAGE_PARTS.filter((part) => show.includes(part)));
  }
  if (given.groups != null) {
    const groups = given.groups.map(receiveGroup);
    draft.groups = JSON.stringify(groups);
    if (groups.some(({ name }) => name === ""))
      refuse("groups", "the name of a group is more than white space");
    if (groups.reduce((sum, { monitors }) => sum + monitors.length, 0) > MAX_PAGE_MONITORS)
      refuse("groups", `a page shows at most ${MAX_PAGE_MONITORS} monitors`);
  }

  if (problems.length > 0) throw new InvalidRequestError(problems);
  return draft;
}

function receiveGroup({ name, monitors = [], tags = [] }: PageGroupInput): PageGroup {
  const byId = new Map(
    monitors.map((monitor) => [monitor.id, { id: monitor.id, name: monitor.name?.trim() || null }]),
  );
  const trimmed = tags.map((tag) => tag.trim()).filter((tag) => tag !== "");
  return { name: name.trim(), monitors: [...byId.values()], tags: [...new Set(trimmed)] };
}

/** The monitors that a page lists by their ids. */
export function listedMonitors(page: Pick<StatusPageRow, "groups">): string[] {
  return [...new Set(groupsOf(page).flatMap(({ monitors }) => monitors.map(({ id }) => id)))];
}

export function unknownMonitors(ids: readonly string[]): InvalidRequestError {
  return new InvalidRequestError([
    problemOf(["groups"], `there is no monitor ${ids.slice(0, 5).join(", ")}`),
  ]);
}

export function unknownIncident(): InvalidRequestError {
  return new InvalidRequestError([problemOf(["incident_id"], "there is no such incident")]);
}

function problemOf(path: readonly string[], msg: string): RequestProblem {
  return { type: "value_error", loc: ["body", ...path], msg: `Value error, ${msg}` };
}

export function changedPageFields(before: PageDraft, after: PageDraft): string[] {
  return STATUS_PAGE_DECIDED.filter((field) => before[field] !== after[field]);
}
