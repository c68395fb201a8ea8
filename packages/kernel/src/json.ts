// The door to JSON alone, for who speaks with a server and is none.

export {
  NumberTooLarge,
  readJson,
  readWrittenJson,
  writeJson,
  writeReadableJson,
} from "./json/exact-json.ts";
export { floatOf, floatsOnlyIn, isFloat, losesFraction, withoutFraction } from "./json/float.ts";
export { isSameJson, isUnchangedJson } from "./json/same-json.ts";
