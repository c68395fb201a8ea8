import type {
  PageDay,
  ShownMaintenance,
  ShownMonitor,
  ShownReport,
  ShownState,
  StatusPageView,
} from "@orchestrator/contract";
import { HtmlMarkup, type MarkupPart, markup } from "./markup.ts";
import { entriesOf, type PageEntry } from "./page-entries.rules.ts";
import { STYLE } from "./page-style.ts";
import {
  dateText,
  durationText,
  latencyText,
  rangeText,
  uptimePercentText,
  utcTimeText,
} from "./page-text.rules.ts";
import { PAGE_SENTENCES, PAGE_STATE_BADGES, PAGE_STATE_WORDS, REPORT_WORDS } from "./page-words.ts";

const MOST_PAST = 50;
/** Up to this share of a day, being down is a lesser thing. */
const MINOR_UPTIME = 95;

/** The page at a path, without any script; a reader needs nothing but this one document. */
export function pageHtml(view: StatusPageView, path: string): string {
  const entries = entriesOf(view);
  const current = entries.filter(({ ended }) => ended === null);
  const past = entries.filter(({ ended }) => ended !== null);
  const windows = view.maintenance ?? [];
  const hasHistory = view.incidents !== null || view.reports.length > 0;
  const sentence = PAGE_SENTENCES[view.state];
  const feed = `${path}/rss.xml`;
  return document_({
    title: `${view.title}: ${sentence}`,
    theme: view.theme,
    head: markup`<link rel="alternate" type="application/rss+xml" title="${view.title}" href="${feed}">`,
    body: markup`<header><h1>${view.title}</h1>${
      view.description === null ? null : markup`<p class="about">${view.description}</p>`
    }</header>
<main>
<p class="card overall ${PAGE_STATE_BADGES[view.state]}">${icon(PAGE_STATE_BADGES[view.state])}<span>${sentence}</span></p>
${section("Current incidents", current.map(entryOf), "entries now")}
${section("Maintenance under way", windows.filter(({ active }) => active).map(windowOf), "entries")}
${groupsOf(view)}
${section("Planned maintenance", windows.filter(({ active }) => !active).map(windowOf), "entries")}
${hasHistory ? historyOf(past) : null}
</main>
<footer><span>As of <time datetime="${view.as_of}">${utcTimeText(view.as_of)}</time>. Days and times are UTC.</span><a href="${feed}">RSS feed</a></footer>`,
  });
}

/** The same for a page that is not published as for one that never was. */
export function missingPageHtml(): string {
  return document_({
    title: "No status page here",
    theme: "auto",
    head: null,
    body: markup`<main><header><h1>There is no status page here</h1><p class="about">Look at the address again, or ask those who gave it to you.</p></header></main>`,
  });
}

interface Document {
  readonly title: string;
  readonly theme: StatusPageView["theme"];
  readonly head: MarkupPart;
  readonly body: MarkupPart;
}

function document_({ title, theme, head, body }: Document): string {
  return markup`<!doctype html>
<html lang="en" class="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style>${new HtmlMarkup(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

/** Told apart by their shape as well, for those who cannot by their colour. */
const SHAPES: Readonly<Record<ShownState, string>> = {
  up: "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m-1 11.6L3.4 8l1.4-1.4L7 8.8l4.200-4.200L12.600 6z",
  degraded: "M8 .8 16 15H0zM7.100 5.800l.3 4.700h1.200l.3-4.700zM7.100 11.600v1.700h1.800v-1.700z",
  down: "M4.700 0h6.600L16 4.700v6.600L11.300 16H4.700L0 11.300V4.700zM5 3.700 3.700 5l3 3-3 3L5 12.300l3-3 3 3 1.300-1.300-3-3 3-3L11 3.700l-3 3z",
  maintenance:
    "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M7.200 3.500h1.600v4.200l2.900 1.800-.8 1.300-3.700-2.300z",
  paused: "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M5.200 4.500h1.900v7H5.200zm3.700 0h1.900v7H8.900z",
  unknown:
    "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m0 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M4.500 7.100h7v1.800h-7z",
};

const icon = (state: ShownState): HtmlMarkup =>
  markup`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" fill-rule="evenodd"><path d="${SHAPES[state]}"/></svg>`;

function section(title: string, items: readonly HtmlMarkup[], kind: string): HtmlMarkup | null {
  if (items.length === 0) return null;
  return markup`<section><h2>${title}</h2><ul class="${kind}">${items}</ul></section>`;
}

function groupsOf({ groups }: StatusPageView): MarkupPart {
  const monitors = groups.flatMap((group) => group.monitors);
  if (monitors.length === 0)
    return markup`<section><h2>Systems</h2><p class="card none">Nothing is watched here yet.</p></section>`;
  return [
    groups
      .filter((group) => group.monitors.length > 0)
      .map(
        (group) =>
          markup`<section><h2>${group.name}</h2><ul class="card monitors">${group.monitors.map(monitorOf)}</ul></section>`,
      ),
    monitors.some(({ days }) => days !== null) ? LEGEND : null,
  ];
}

const LEGEND = markup`<ul class="legend">${[
  ["u", "Operational"],
  ["g", "Degraded"],
  ["p", "Down for up to 5 % of the day"],
  ["d", "Down for longer"],
  ["n", "No data"],
].map(
  ([kind = "", word = ""]) =>
    markup`<li><span class="bar"><i class="${kind}"></i></span>${word}</li>`,
)}</ul>`;

function monitorOf({ name, state, uptime_percent, latency_ms, days }: ShownMonitor): HtmlMarkup {
  const figures = [
    uptime_percent === null
      ? null
      : `${uptimePercentText(uptime_percent)} uptime${days === null ? " in 90 days" : ""}`,
    latency_ms === null ? null : `answers in ${latencyText(latency_ms)}`,
  ].filter((figure) => figure !== null);
  const text = figures.join(" · ");
  const line = markup`<div class="line"><h3>${name}</h3><span class="state ${state}">${icon(state)}${PAGE_STATE_WORDS[state]}</span></div>`;
  if (days === null)
    return markup`<li>${line}${text === "" ? null : markup`<p class="scale">${text}</p>`}</li>`;
  return markup`<li>${line}<div class="bars" role="img" aria-label="${barsText(days)}">${days.map(barOf)}</div>
<div class="scale"><span><span class="long">90 days ago</span><span class="short">45 days ago</span></span>${
    text === "" ? null : markup`<span class="figures">${text}</span>`
  }<span>Today</span></div>${problemsOf(days)}</li>`;
}

const barOf = (day: PageDay): HtmlMarkup =>
  markup`<i class="${barClass(day)}" title="${dateText(day.date)}: ${dayText(day)}"></i>`;

function barClass({ state, uptime_percent }: PageDay): string {
  if (state === "down") return (uptime_percent ?? 0) >= MINOR_UPTIME ? "p" : "d";
  return { up: "u", degraded: "g", none: "n" }[state];
}

function dayText({ state, uptime_percent }: PageDay): string {
  if (uptime_percent === null) return "no data";
  const share = `${uptimePercentText(uptime_percent)} up`;
  return state === "degraded" ? `${share}, degraded for a while` : share;
}

const isProblem = ({ state }: PageDay): boolean => state === "down" || state === "degraded";

function barsText(days: readonly PageDay[]): string {
  const count = (state: PageDay["state"]) => days.filter((day) => day.state === state).length;
  const parts = [
    `${count("up")} days without problems`,
    `${count("degraded")} degraded`,
    `${count("down")} with downtime`,
    `${count("none")} without data`,
  ];
  return `The last ${days.length} days: ${parts.join(", ")}`;
}

/** What the bars tell only those who can point at them. */
function problemsOf(days: readonly PageDay[]): HtmlMarkup | null {
  const problems = days.filter(isProblem).toReversed();
  if (problems.length === 0) return null;
  const title =
    problems.length === 1 ? "1 day with problems" : `${problems.length} days with problems`;
  const items = problems.map((day) => markup`<li>${dateText(day.date)}: ${dayText(day)}</li>`);
  return markup`<details><summary>${title}</summary><ul>${items}</ul></details>`;
}

function historyOf(past: readonly PageEntry[]): HtmlMarkup {
  const shown = past.slice(0, MOST_PAST).map(entryOf);
  const rest = past.length - shown.length;
  return markup`<section><h2>Past 14 days</h2>${
    shown.length === 0
      ? markup`<p class="card none">No incidents.</p>`
      : markup`<ul class="entries">${shown}</ul>`
  }${rest > 0 ? markup`<p class="none">and ${rest} earlier ones</p>` : null}</section>`;
}

function entryOf({ id, title, started, ended, incident, report }: PageEntry): HtmlMarkup {
  const look = lookOf(incident?.status ?? report?.impact ?? "none");
  const length = incident?.duration_seconds ?? null;
  const when = ended === null ? `Since ${utcTimeText(started)}` : rangeText(started, ended);
  const state =
    ended === null && report === null
      ? PAGE_STATE_WORDS[look]
      : report === null && incident?.recovered === false
        ? "Not watched any more"
        : REPORT_WORDS[report?.state ?? "resolved"];
  const about = incident === null || report === null ? null : markup` · ${incident.monitor}`;
  return markup`<li><article id="e-${id}" class="card ${ended === null ? look : ""}"><div class="line"><h3>${title}</h3>${
    ended === null
      ? markup`<span class="state ${look}">${icon(look)}${state}</span>`
      : markup`<span class="over">${state}</span>`
  }</div>
<p class="when">${when}${length === null ? null : ` (${durationText(length)})`}${about}</p>${
    report === null ? null : updatesOf(report)
  }</article></li>`;
}

const lookOf = (status: "none" | "degraded" | "down"): ShownState =>
  status === "none" ? "unknown" : status;

function updatesOf({ updates }: ShownReport): HtmlMarkup {
  const items = updates.map(
    ({ state, text, created_at }) =>
      markup`<li><p>${text}</p><span class="when">${REPORT_WORDS[state]} · <time datetime="${created_at}">${utcTimeText(created_at)}</time></span></li>`,
  );
  return markup`<ol class="updates">${items}</ol>`;
}

const windowOf = ({ title, description, starts_at, ends_at, active, monitors }: ShownMaintenance) =>
  markup`<li><article class="card"><div class="line"><h3>${title}</h3>${
    active ? markup`<span class="state maintenance">${icon("maintenance")}Under way</span>` : null
  }</div>
<p class="when">${rangeText(starts_at, ends_at)} · ${namesText(monitors)}</p>${
    description === null ? null : markup`<p class="text">${description}</p>`
  }</article></li>`;

const MOST_NAMES = 10;

function namesText(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const listed = names.slice(0, MOST_NAMES).join(", ");
  return rest > 0 ? `${listed} and ${rest} more` : listed;
}
