// Profiles of a browser, used again: a window and what it has loaded of the web UI cost more than
// most tests.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const VIEWPORT = { width: 1280, height: 900 };

export interface ProfileOptions extends BrowserContextOptions {
  /** For a test that changes what cannot be undone: the clock, or the routes of websockets. */
  readonly isOwn?: boolean;
}

interface Profile {
  readonly context: BrowserContext;
  readonly page: Page;
}

interface UsedProfile extends AsyncDisposable {
  readonly page: Page;
}

const unused = new WeakMap<Browser, Map<string, Profile[]>>();

/** An empty page without cookies or storage, but for what `storageState` says. */
export async function openProfile(
  browser: Browser,
  { isOwn = false, viewport = VIEWPORT, ...options }: ProfileOptions = {},
): Promise<UsedProfile> {
  const pool = poolOf(browser, JSON.stringify(options));
  const profile = (!isOwn && pool.pop()) || (await create(browser, options));
  const { context, page } = profile;
  if (viewport !== null) await page.setViewportSize(viewport);
  return {
    page,
    async [Symbol.asyncDispose]() {
      const isClean = !isOwn && (await clean(profile, options));
      if (isClean) pool.push(profile);
      else await context.close();
    },
  };
}

function poolOf(browser: Browser, key: string): Profile[] {
  const pools = unused.get(browser) ?? new Map<string, Profile[]>();
  unused.set(browser, pools);
  const pool = pools.get(key) ?? [];
  pools.set(key, pool);
  return pool;
}

async function create(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
  const context = await browser.newContext(options);
  return { context, page: await context.newPage() };
}

const HEARD = ["console", "pageerror", "request", "requestfinished", "websocket"] as const;

/** False if that failed, such as for a page that has crashed or was closed. */
async function clean(
  { context, page }: Profile,
  { storageState }: BrowserContextOptions,
): Promise<boolean> {
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const event of HEARD) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.emulateMedia({ colorScheme: "light" });
    // Who has signed in stays so.
    if (storageState === undefined) {
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
      await context.clearCookies();
    }
    await page.goto("about:blank");
    return true;
  } catch {
    return false;
  }
}
