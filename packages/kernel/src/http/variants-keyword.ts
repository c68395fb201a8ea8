import { _, type CodeKeywordDefinition, type KeywordCxt, Name } from "ajv";

/** How many of the errors right before this one belong to each branch, in order. */
export interface VariantsErrorParams {
  readonly counts: readonly number[];
}

/**
 * `anyOf` that also tells which branch each error came from, so that the nearest branch can be
 * reported alone.
 */
export const variantsKeyword: CodeKeywordDefinition = {
  keyword: "variants",
  schemaType: "array",
  trackErrors: true,
  error: {
    message: "matches no variant",
    params: ({ params }) => _`{counts: ${params["counts"]}}`,
  },
  code(cxt: KeywordCxt): void {
    const { gen } = cxt;
    const branches = cxt.schema as readonly unknown[];
    const errors = new Name("errors");
    const valid = gen.let("valid", false);
    const counts = gen.const("counts", _`[]`);
    const before = gen.let("before", errors);
    const branchValid = gen.name("_valid");
    gen.block(() => {
      branches.forEach((_branch, index) => {
        cxt.subschema({ keyword: "variants", schemaProp: index, compositeRule: true }, branchValid);
        gen.assign(valid, _`${valid} || ${branchValid}`);
        gen.if(_`!${valid}`);
        gen.code(_`${counts}.push(${errors} - ${before})`);
        gen.code(_`${before} = ${errors}`);
      });
    });
    cxt.result(
      valid,
      () => cxt.reset(),
      () => cxt.error(true, { counts }),
    );
  },
};
