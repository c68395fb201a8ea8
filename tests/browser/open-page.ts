import { type Browser, chromium, type Page } from "playwright-core";
import { findBrowser } from "./find-browser.ts";
import { openProfile, type ProfileOptions } from "./profiles.ts";

/** A name that leads to this machine and that browsers do not take for it. */
export const OTHER_HOST = "server.test";

/**
 * Of the window around a page, which nobody sees, and of Playwright's own list, which this
 * replaces.
 */
const NOT_NEEDED = [
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxPopup",
  "SpareRendererForSitePerProcess",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
];

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${NOT_NEEDED.join(",")}`,
  `--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`,
];

const executablePath = await findBrowser();

/** Where no browser can be had these tests are left out, and say so. */
export const hasBrowser = executablePath !== undefined;
if (!hasBrowser)
  console.warn(
    "NO BROWSER: the tests of the web UI were not run. Install Chromium, or name one with BROWSER_PATH.",
  );

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no browser");
  return chromium.launch({ executablePath, args: FLAGS });
}

let shared: Browser | undefined;

/** One for all files of a worker process; it ends with the process. */
export async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await openBrowser();
  return shared;
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Uncaught errors of the page, and what it wrote to the console as an error. */
  readonly complaints: readonly string[];
}

/** A page in a profile without cookies or storage. */
export async function openPage(
  browser: Browser,
  url: string,
  options?: ProfileOptions,
): Promise<WatchedPage> {
  const profile = await openProfile(browser, options);
  const { page } = profile;
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  await page.goto(url);
  return { page, complaints, [Symbol.asyncDispose]: profile[Symbol.asyncDispose] };
}
