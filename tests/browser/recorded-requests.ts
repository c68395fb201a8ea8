// What a page asks the server for.
import type { Page, Request } from "playwright-core";

const TIME = /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)[\d.]+Z/g;

/** A request without the moments it names: asked a second later it is the same. */
const timeless = (request: Request): string =>
  `${request.url()} ${request.postData() ?? ""}`.replaceAll(TIME, "");

export interface Opened {
  /** What happens meanwhile makes a page ask again; that is not what it takes to open it. */
  readonly requests: readonly string[];
  /** Of everything, its scripts and pictures as well. */
  readonly urls: readonly string[];
}

/** Loads one address after another as if for the first time. */
export function opensOf(page: Page): (url: string) => Promise<Opened> {
  let asked: Request[] = [];
  page.on("request", (request) => asked.push(request));
  return async (url) => {
    await page.goto("about:blank");
    asked = [];
    await page.goto(url);
    await page.locator("h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    const fetched = asked.filter((one) => one.resourceType() === "fetch");
    return {
      requests: [...new Set(fetched.map(timeless))],
      urls: asked.map((one) => one.url()),
    };
  };
}
