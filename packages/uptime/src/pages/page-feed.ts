import type { StatusPageView } from "@orchestrator/contract";
import { type HtmlMarkup, markup } from "./markup.ts";
import { entriesOf, incidentTitle, latestFirst, type PageEntry } from "./page-entries.rules.ts";
import { durationText, mailTime } from "./page-text.rules.ts";
import { REPORT_WORDS } from "./page-words.ts";

const MOST_ITEMS = 50;

interface Item {
  readonly guid: string;
  readonly at: string;
  readonly title: string;
  readonly text: string;
  readonly anchor: string;
}

/** RSS 2.0: every update that people post, and the beginning and the end of what monitors saw. */
export function feedOf(view: StatusPageView, link: string): string {
  const items = entriesOf(view)
    .flatMap((entry) => (entry.report === null ? incidentItems(entry) : reportItems(entry)))
    .sort((a, b) => latestFirst(a.at, b.at))
    .slice(0, MOST_ITEMS);
  const newest = items[0]?.at;
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${view.title}</title>
<link>${link}</link>
<description>${view.description ?? `Incidents and reports of ${view.title}`}</description>
<language>en</language>
<ttl>5</ttl>
${newest === undefined ? null : markup`<lastBuildDate>${mailTime(newest)}</lastBuildDate>\n`}<atom:link href="${link}/rss.xml" rel="self" type="application/rss+xml"/>
${items.map((item) => itemOf(item, link))}</channel>
</rss>
`.text;
}

const itemOf = ({ guid, at, title, text, anchor }: Item, link: string): HtmlMarkup => markup`<item>
<title>${title}</title>
<link>${link}#${anchor}</link>
<guid isPermaLink="false">${guid}</guid>
<pubDate>${mailTime(at)}</pubDate>
<description>${text}</description>
</item>
`;

function incidentItems({ id, started, incident }: PageEntry): Item[] {
  if (incident === null) return [];
  const { monitor, ended_at, duration_seconds, recovered } = incident;
  const begun: Item = {
    guid: `${id}:started`,
    at: started,
    title: incidentTitle({ ...incident, ended_at: null }),
    text: `An incident began: ${monitor}.`,
    anchor: `e-${id}`,
  };
  if (ended_at === null) return [begun];
  const text = `The incident is over after ${durationText(duration_seconds ?? 0)}.`;
  const title = recovered ? `${monitor} is up again` : `${monitor} is not watched any more`;
  return [{ ...begun, guid: `${id}:ended`, at: ended_at, title, text }, begun];
}

function reportItems({ id, report }: PageEntry): Item[] {
  if (report === null) return [];
  return report.updates.map((update) => ({
    guid: update.id,
    at: update.created_at,
    title: `${REPORT_WORDS[update.state]}: ${report.title}`,
    text: update.text,
    anchor: `e-${id}`,
  }));
}
