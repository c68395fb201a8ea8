import type { PagePart, StatusPageView } from "@orchestrator/contract";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import {
  groupsOf,
  STATUS_PAGES_TOPIC,
  type StatusPageRow,
  showOf,
} from "../db/tables/status-pages.table.ts";
import { MAINTENANCE_TOPIC } from "../maintenance/maintenance-calendar.ts";
import { FreshCache } from "./fresh-cache.ts";
import { PageCopies } from "./page-copies.ts";
import { listPublishedPages } from "./status-pages.store.ts";

/** As old as what the public sees may be. */
const FRESH_MS = 5000;
const MOST_PAGES = 200;
const MOST_WORKSPACES = 200;

/** Where the public looks: a workspace, and what the addresses of its pages begin with. */
export interface PublicPlace {
  readonly workspaceId: string;
  readonly base: string;
}

type ReadView = (workspaceId: string, page: StatusPageRow) => Promise<StatusPageView>;

/**
 * The published pages as everybody sees them. Whoever asks for another is told without a look into
 * the database.
 */
export class PublicPages {
  readonly #db: ServiceHost["db"];
  readonly #readView: ReadView;
  readonly #published: FreshCache<readonly StatusPageRow[]>;
  readonly #copies: FreshCache<PageCopies>;

  constructor({ clock, db }: Pick<ServiceHost, "clock" | "db">, readView: ReadView) {
    this.#db = db;
    this.#readView = readView;
    this.#published = new FreshCache({ clock, freshMs: FRESH_MS, most: MOST_WORKSPACES });
    this.#copies = new FreshCache({ clock, freshMs: FRESH_MS, most: MOST_PAGES });
    // What was changed is seen at once, and above all what was taken back.
    for (const topic of [STATUS_PAGES_TOPIC, MAINTENANCE_TOPIC])
      db.wakeUps.on(topic, () => this.#clear());
  }

  async find({ workspaceId, base }: PublicPlace, slug: string): Promise<PageCopies | null> {
    const pages = await this.#pages(workspaceId);
    const page = pages.find((published) => published.slug === slug);
    if (page === undefined) return null;
    return this.#copies.get(`${page.id} ${base}`, async () => {
      const view = await this.#readView(workspaceId, page);
      return new PageCopies(view, `${base}/status/${slug}`);
    });
  }

  /** What published pages tell of a monitor, all of them together; null where none shows it. */
  async shownOf(
    workspaceId: string,
    monitor: { readonly id: string; readonly tags: readonly string[] },
  ): Promise<ReadonlySet<PagePart> | null> {
    const pages = (await this.#pages(workspaceId)).filter((page) => shows(page, monitor));
    return pages.length === 0 ? null : new Set(pages.flatMap(showOf));
  }

  async #pages(workspaceId: string): Promise<readonly StatusPageRow[]> {
    const list = () => listPublishedPages(this.#db.in(workspaceId));
    return (await this.#published.get(workspaceId, list)) ?? [];
  }

  #clear(): void {
    this.#published.clear();
    this.#copies.clear();
  }
}

function shows(
  page: StatusPageRow,
  { id, tags }: { readonly id: string; readonly tags: readonly string[] },
): boolean {
  return groupsOf(page).some(
    (group) =>
      group.monitors.some((monitor) => monitor.id === id) ||
      (group.tags.length > 0 && group.tags.every((tag) => tags.includes(tag))),
  );
}
