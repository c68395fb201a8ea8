// The login of the uptime service.
import type { Page } from "playwright-core";
import { ACCOUNT } from "./fill-monitors.ts";

export async function logIn(page: Page): Promise<void> {
  await page.getByLabel("Username").fill(ACCOUNT.username);
  await page.getByLabel("Password").fill(ACCOUNT.password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "Log in" }).waitFor({ state: "detached" });
}
