// The door to what threads load: functions of their arguments, without the libraries that the rest of the kernel needs.

export { daysInMonth } from "./calendar/civil.ts";
export { systemClock } from "./clock/clock.ts";
export { readJson, writeJson } from "./json/exact-json.ts";
export { isFloat, withoutFraction } from "./json/float.ts";
export { isWellFormed } from "./json/well-formed.ts";
