import { SafeText, type Value } from "./kinds.ts";
import { printValue } from "./printing.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

/** As it can stand in a web page; what is said to be safe is left as it is. */
export const escaped = (value: Value): SafeText =>
  value instanceof SafeText ? value : new SafeText(escapeHtml(printValue(value)));
