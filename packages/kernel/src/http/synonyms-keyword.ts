import { _, type FuncKeywordDefinition } from "ajv";

type Named = Record<string, unknown>;

/**
 * Other names of members: `{ since_: "after_" }`. What is given under the other name is moved to
 * the name that the server knows, after it was checked where it stood; both at once are refused.
 */
export const synonymsKeyword: FuncKeywordDefinition = {
  keyword: "synonyms",
  type: "object",
  schemaType: "object",
  validate: (synonyms: Readonly<Record<string, string>>, value: Named): boolean => {
    for (const [other, name] of Object.entries(synonyms)) {
      const given = value[other];
      if (given === undefined) continue;
      if (given !== null) {
        if (value[name] !== undefined && value[name] !== null) return false;
        value[name] = given;
      }
      delete value[other];
    }
    return true;
  },
  error: {
    message: "is given twice",
    params: ({ schemaCode }) => _`{synonyms: ${schemaCode}}`,
  },
};
