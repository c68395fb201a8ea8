// What a statement says the same every time stands in its text. PostgreSQL plans a prepared
// statement anew for each call while it cannot see how many rows a `limit` leaves, and planning
// costs many times what the call does; and both engines take a partial index only for a condition
// that they can read.

import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  ValueNode,
} from "kysely";

class Transformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    const { value } = node;
    const isConstant = typeof value === "number" || typeof value === "string";
    return isConstant ? ValueNode.createImmediate(value) : super.transformValue(node);
  }
}

/** Writes numbers and texts into a statement, where placeholders are left to be bound. */
export class ConstantsInText implements KyselyPlugin {
  readonly #transformer = new Transformer();

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}
