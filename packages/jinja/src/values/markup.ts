import { Markup, type Value } from "./kinds.ts";
import { textOf } from "./printing.ts";

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
export const escaped = (value: Value): Markup =>
  value instanceof Markup ? value : new Markup(escapeHtml(textOf(value)));
