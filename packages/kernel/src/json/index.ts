export { readJson, writeJson, writeReadableJson } from "./exact-json.ts";
export { isSameJson } from "./same-json.ts";
