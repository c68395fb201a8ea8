export {
  MOST_DIGITS,
  NumberTooLarge,
  readExactly,
  readJson,
  readWrittenJson,
  writeJson,
  writeReadableJson,
} from "./exact-json.ts";
export { floatOf, floatsOnlyIn, isFloat, losesFraction, withoutFraction } from "./float.ts";
export { isMap, type JsonMap } from "./json-map.ts";
export { mapMembers, mergeMembers, namesInOrder, objectInOrder } from "./key-order.ts";
export { isSameJson, isUnchangedJson } from "./same-json.ts";
export { takesAtMost } from "./takes-at-most.ts";
export { isWellFormed, wellFormed } from "./well-formed.ts";
