// A Chromium for the tests: the one that is named, one that is installed, or one that is installed
// now.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const INSTALL_MS = 240_000;

const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

const installed = (): string | undefined => PLACES.find((path) => existsSync(path));

/** Undefined where none can be had; the reasons have been printed then. */
export async function findBrowser(): Promise<string | undefined> {
  const named = process.env["BROWSER_PATH"];
  if (named !== undefined) return named;
  return installed() ?? (await fromPackages()) ?? (await fromPlaywright());
}

/** On Debian and its kin, with the right to install. */
async function fromPackages(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  const options = {
    timeout: INSTALL_MS,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  // Several files may come here at once; those that are late wait, and find it installed.
  const patiently = ["-o", "DPkg::Lock::Timeout=200"];
  const install = [
    ...patiently,
    "install",
    "-y",
    "--no-install-recommends",
    "chromium-headless-shell",
  ];
  try {
    await run("apt-get", install, options).catch(async () => {
      await run("apt-get", [...patiently, "update"], options);
      await run("apt-get", install, options);
    });
  } catch (error) {
    console.warn(`apt-get could not install a browser: ${reasonOf(error)}`);
  }
  return installed();
}

async function fromPlaywright(): Promise<string | undefined> {
  const { chromium } = await import("playwright-core");
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  const cli = new URL("../../node_modules/playwright-core/cli.js", import.meta.url).pathname;
  try {
    await run(process.execPath, [cli, "install", "chromium"], { timeout: INSTALL_MS });
  } catch (error) {
    console.warn(`Playwright could not fetch a browser: ${reasonOf(error)}`);
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
