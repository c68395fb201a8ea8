import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { StatusPageView } from "@orchestrator/contract";
import { feedOf } from "./page-feed.ts";
import { pageHtml } from "./page-html.ts";

const zip = promisify(gzip);

/** A document as it is sent, to however many. */
export class RenderedPage {
  readonly type: string;
  readonly text: string;
  /** Weak: it stands for the plain and the compressed form. */
  readonly etag: string;
  #zipped: Promise<Buffer> | undefined;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
    this.etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  }

  /** Worked out once, for the first who takes it. */
  zipped(): Promise<Buffer> {
    this.#zipped ??= zip(this.text);
    return this.#zipped;
  }
}

/** A page may be reached by several names, but not by any number of them. */
const MOST_ORIGINS = 8;

/** All forms of what was worked out once. */
export class PageCopies {
  readonly #view: StatusPageView;
  /** The path of the page. */
  readonly #path: string;
  readonly #feeds = new Map<string, RenderedPage>();
  #html: RenderedPage | undefined;
  #json: RenderedPage | undefined;

  constructor(view: StatusPageView, path: string) {
    this.#view = view;
    this.#path = path;
  }

  html(): RenderedPage {
    this.#html ??= new RenderedPage("text/html; charset=utf-8", pageHtml(this.#view, this.#path));
    return this.#html;
  }

  json(): RenderedPage {
    this.#json ??= new RenderedPage("application/json; charset=utf-8", JSON.stringify(this.#view));
    return this.#json;
  }

  /** Feeds hold whole addresses, and so the name by which the server was reached. */
  feed(origin: string): RenderedPage {
    const known = this.#feeds.get(origin);
    if (known !== undefined) return known;
    const feed = new RenderedPage(
      "application/rss+xml; charset=utf-8",
      feedOf(this.#view, origin + this.#path),
    );
    if (this.#feeds.size < MOST_ORIGINS) this.#feeds.set(origin, feed);
    return feed;
  }
}
