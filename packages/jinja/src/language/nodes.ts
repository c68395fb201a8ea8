// The tree of a template. Every node knows its line, so that problems can be told with theirs.

import type { BinaryOperator } from "../values/arithmetic.ts";
import type { Value } from "../values/kinds.ts";

interface Placed {
  readonly line: number;
}

export interface CallArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
  /** `*list` */
  readonly spread: Expression | null;
  /** `**map` */
  readonly spreadNamed: Expression | null;
}

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

export interface Comparison {
  readonly operator: ComparisonOperator;
  readonly operand: Expression;
}

export interface NameNode extends Placed {
  readonly kind: "name";
  readonly name: string;
}

export interface FilterNode extends Placed {
  readonly kind: "filter";
  /** Null at the head of a filter that stands over a block. */
  readonly of: Expression | null;
  readonly name: string;
  readonly args: CallArguments;
}

export interface TestNode extends Placed {
  readonly kind: "test";
  readonly of: Expression;
  readonly name: string;
  readonly args: CallArguments;
}

export interface CallNode extends Placed {
  readonly kind: "call";
  readonly callee: Expression;
  readonly args: CallArguments;
}

export interface SliceNode extends Placed {
  readonly kind: "slice";
  readonly start: Expression | null;
  readonly stop: Expression | null;
  readonly step: Expression | null;
}

export type Expression =
  | NameNode
  | FilterNode
  | TestNode
  | CallNode
  | SliceNode
  | (Placed & { readonly kind: "constant"; readonly value: Value })
  | (Placed & { readonly kind: "concatenation"; readonly parts: readonly Expression[] })
  | (Placed & { readonly kind: "list" | "tuple"; readonly items: readonly Expression[] })
  | (Placed & {
      readonly kind: "dict";
      readonly pairs: readonly (readonly [Expression, Expression])[];
    })
  | (Placed & {
      readonly kind: "unary";
      readonly operator: "-" | "+" | "not";
      readonly operand: Expression;
    })
  | (Placed & {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (Placed & {
      readonly kind: "logical";
      readonly operator: "and" | "or";
      readonly left: Expression;
      readonly right: Expression;
    })
  | (Placed & {
      readonly kind: "comparison";
      readonly first: Expression;
      readonly rest: readonly Comparison[];
    })
  | (Placed & {
      readonly kind: "conditional";
      readonly test: Expression;
      readonly value: Expression;
      readonly otherwise: Expression | null;
    })
  | (Placed & { readonly kind: "attribute"; readonly of: Expression; readonly name: string })
  | (Placed & { readonly kind: "item"; readonly of: Expression; readonly index: Expression });

export type AssignmentTarget =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "member"; readonly name: string; readonly member: string }
  | { readonly kind: "targets"; readonly targets: readonly AssignmentTarget[] };

export type TemplateBody = readonly TemplateStatement[];

export interface Parameter {
  readonly name: string;
  readonly fallback: Expression | null;
}

export interface ForNode extends Placed {
  readonly kind: "for";
  readonly target: AssignmentTarget;
  readonly over: Expression;
  readonly test: Expression | null;
  readonly isRecursive: boolean;
  readonly body: TemplateBody;
  readonly otherwise: TemplateBody;
}

export interface MacroNode extends Placed {
  readonly kind: "macro";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: TemplateBody;
  /**
   * Whether the body asks for `caller`, `varargs` or `kwargs`: other macros refuse what they do not
   * name.
   */
  readonly asks: ReadonlySet<string>;
}

export type TemplateStatement =
  | ForNode
  | MacroNode
  | (Placed & { readonly kind: "text"; readonly text: string })
  | (Placed & { readonly kind: "print"; readonly value: Expression })
  | (Placed & {
      readonly kind: "if";
      readonly branches: readonly { readonly test: Expression; readonly body: TemplateBody }[];
      readonly otherwise: TemplateBody;
    })
  | (Placed & {
      readonly kind: "set";
      readonly target: AssignmentTarget;
      readonly value: Expression;
    })
  | (Placed & {
      readonly kind: "set-block";
      readonly target: AssignmentTarget;
      readonly filter: FilterNode | null;
      readonly body: TemplateBody;
    })
  | (Placed & {
      readonly kind: "call-block";
      readonly call: CallNode;
      readonly caller: MacroNode;
    })
  | (Placed & {
      readonly kind: "filter-block";
      readonly filter: FilterNode;
      readonly body: TemplateBody;
    })
  | (Placed & {
      readonly kind: "with";
      readonly bindings: readonly {
        readonly target: AssignmentTarget;
        readonly value: Expression;
      }[];
      readonly body: TemplateBody;
    })
  | (Placed & {
      readonly kind: "autoescape";
      readonly isOn: Expression;
      readonly body: TemplateBody;
    })
  | (Placed & {
      readonly kind: "block";
      readonly name: string;
      readonly isScoped: boolean;
      readonly body: TemplateBody;
    })
  /** Names another template, and there is none. */
  | (Placed & { readonly kind: "other-template"; readonly tag: string });

export interface TemplateTree {
  readonly body: TemplateBody;
}
