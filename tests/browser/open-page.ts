import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findBrowser } from "./find-browser.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const executablePath = await findBrowser();

/** Where no browser can be had these tests are left out, and say so. */
export const hasBrowser = executablePath !== undefined;
if (!hasBrowser)
  console.warn(
    "NO BROWSER: the tests of the web UI were not run. Install Chromium, or name one with BROWSER_PATH.",
  );

export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no browser");
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** What the page complained about: errors that nobody caught, and what it wrote to the console as one. */
  readonly complaints: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  await page.goto(url);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a person with a screen reader, a keyboard or weak sight would stumble over: serious and critical findings. */
export async function barriersOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: () => Promise<{
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}

/** The same in both themes, once the page has all that it asks for. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  await page.locator("main h1").waitFor();
  await page.waitForLoadState("networkidle");
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`[data-theme=${colorScheme}]`).waitFor();
    found.push(...(await barriersOf(page)));
  }
  return found;
}
