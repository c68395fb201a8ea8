import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { daysInMonth } from "@orchestrator/calendar";
import { compilePattern } from "./patterns.ts";
import { SchemaProblem } from "./schema-problem.ts";

// What the validator of the established server knows of `format`, and as strictly: it says nothing
// about any other, such as `uri` or `duration`.

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const POINTER = /^(?:\/(?:[^~]|~[01])*)?$/u;
const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~]|~[01])*)?)$/u;
const HOST_LABEL = /^(?!-)(?!..--)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  if (!DATE.test(text) || year < 1 || month < 1 || month > 12) return false;
  return day >= 1 && day <= daysInMonth(year, month);
}

const isDateTime = (text: string): boolean =>
  isDate(text.slice(0, 10)) && /^t$/i.test(text.charAt(10)) && TIME.test(text.slice(11));

function isExpression(text: string): boolean {
  try {
    compilePattern(text);
    return true;
  } catch (error) {
    if (error instanceof SchemaProblem) return false;
    throw error;
  }
}

const LONGEST_HOST = 253;

function isHost(text: string): boolean {
  const name = text.replace(/[.。]$/u, "");
  if (name.length > LONGEST_HOST || domainToASCII(name) === "") return false;
  return name.split(/[.。]/u).every((label) => HOST_LABEL.test(label));
}

const hasAt = (text: string): boolean => text.includes("@");

export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  "date-time": isDateTime,
  time: (text) => TIME.test(text),
  email: hasAt,
  "idn-email": hasAt,
  "idn-hostname": isHost,
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes("%"),
  "json-pointer": (text) => POINTER.test(text),
  "relative-json-pointer": (text) => RELATIVE_POINTER.test(text),
  regex: isExpression,
  uuid: (text) => UUID.test(text),
};
