import type { Locator, Page } from "playwright-core";

/** Finds one of many things by its whole name, and picks it. */
export async function choose(place: Page | Locator, label: string, name: string): Promise<void> {
  const field = place.getByLabel(label, { exact: true }).and(place.getByRole("combobox"));
  await field.click();
  await field.fill(name);
  await place.getByRole("option", { name, exact: true }).click();
}
