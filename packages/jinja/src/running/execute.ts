import type {
  AssignmentTarget,
  FilterNode,
  ForNode,
  MacroNode,
  TemplateBody,
  TemplateStatement,
} from "../language/nodes.ts";
import { TemplateError } from "../template-error.ts";
import { itemsOf } from "../values/iterating.ts";
import { Callable, SafeText, type Value } from "../values/kinds.ts";
import { escaped } from "../values/markup.ts";
import { printValue } from "../values/printing.ts";
import { spendWhole } from "../values/spending.ts";
import { isTrue } from "../values/truth.ts";
import { applyFilter, argumentsOf, call, evaluate } from "./evaluate.ts";
import { LoopState } from "./loop-state.ts";
import { bindParameters } from "./macro-arguments.ts";
import { Namespace } from "./namespace.ts";
import { Output } from "./output.ts";
import type { RenderState } from "./run-state.ts";
import { TemplateScope } from "./scope.ts";

/** Runs the statements of a template. */
export class TemplateExecution {
  readonly #run: RenderState;
  /** What blocks see: they stand outside of loops and macros. */
  readonly #top: TemplateScope;
  /** Whether what is printed is made safe for web pages: within `autoescape` only. */
  #escapes = false;

  constructor(run: RenderState, top: TemplateScope) {
    this.#run = run;
    this.#top = top;
  }

  render(body: TemplateBody, scope: TemplateScope): string {
    const output = new Output(this.#run.meter);
    this.#runBody(body, scope, output);
    return output.text;
  }

  /** What a part of the template prints, as a value. */
  #captured(body: TemplateBody, scope: TemplateScope): Value {
    const text = this.render(body, scope);
    return this.#escapes ? new SafeText(text) : text;
  }

  #printed(value: Value): string {
    spendWhole(this.#run.meter, value);
    return this.#escapes ? escaped(value).text : printValue(value);
  }

  #runBody(body: TemplateBody, scope: TemplateScope, output: Output): void {
    this.#run.meter.enter();
    for (const statement of body) this.#runStatement(statement, scope, output);
    this.#run.meter.leave();
  }

  #runStatement(statement: TemplateStatement, scope: TemplateScope, output: Output): void {
    const run = this.#run;
    run.meter.spend(1);
    run.line = statement.line;
    switch (statement.kind) {
      case "text":
        output.write(statement.text);
        break;
      case "print":
        output.write(this.#printed(evaluate(run, scope, statement.value)));
        break;
      case "if": {
        const branch = statement.branches.find(({ test }) => isTrue(evaluate(run, scope, test)));
        this.#runBody(branch?.body ?? statement.otherwise, scope, output);
        break;
      }
      case "for":
        this.#runFor(statement, {
          scope,
          output,
          over: evaluate(run, scope, statement.over),
          depth: 1,
        });
        break;
      case "set":
        this.#assign(scope, statement.target, evaluate(run, scope, statement.value));
        break;
      case "set-block": {
        const text = this.#captured(statement.body, new TemplateScope(scope));
        this.#assign(scope, statement.target, this.#filtered(scope, statement.filter, text));
        break;
      }
      case "filter-block": {
        const text = this.#captured(statement.body, new TemplateScope(scope));
        output.write(this.#printed(this.#filtered(scope, statement.filter, text)));
        break;
      }
      case "macro":
        scope.set(statement.name, this.#macro(statement, scope));
        break;
      case "call-block": {
        const { callee, args } = statement.call;
        const given = argumentsOf(run, scope, args);
        const caller = this.#macro(statement.caller, scope);
        const named = new Map([...given.named, ["caller", caller] as const]);
        const macro = evaluate(run, scope, callee);
        run.line = statement.line;
        output.write(this.#printed(call(macro, { positional: given.positional, named })));
        break;
      }
      case "with": {
        const inner = new TemplateScope(scope);
        // All of them are worked out before any of them is there.
        const values = statement.bindings.map(({ value }) => evaluate(run, scope, value));
        statement.bindings.forEach(({ target }, index) => {
          this.#assign(inner, target, values[index] ?? null);
        });
        this.#runBody(statement.body, inner, output);
        break;
      }
      case "autoescape": {
        const before = this.#escapes;
        this.#escapes = isTrue(evaluate(run, scope, statement.isOn));
        this.#runBody(statement.body, new TemplateScope(scope), output);
        this.#escapes = before;
        break;
      }
      case "block":
        this.#runBody(
          statement.body,
          new TemplateScope(statement.isScoped ? scope : this.#top),
          output,
        );
        break;
      case "other-template":
        throw new TemplateError(`${statement.tag}: template not found, there are no others`);
    }
  }

  #filtered(scope: TemplateScope, filter: FilterNode | null, text: Value): Value {
    if (filter === null) return text;
    const value =
      filter.of === null ? text : this.#filtered(scope, filter.of as typeof filter, text);
    return applyFilter(this.#run, scope, { value, node: filter });
  }

  #runFor(
    node: ForNode,
    {
      scope,
      output,
      over,
      depth,
    }: {
      readonly scope: TemplateScope;
      readonly output: Output;
      readonly over: Value;
      readonly depth: number;
    },
  ): void {
    const run = this.#run;
    const items = itemsOf(run, over).filter((item) => {
      if (node.test === null) return true;
      const inner = new TemplateScope(scope);
      this.#assign(inner, node.target, item);
      return isTrue(evaluate(run, inner, node.test));
    });
    const recurse = (inner: Value): Value => {
      const part = new Output(run.meter);
      this.#runFor(node, { scope, output: part, over: inner, depth: depth + 1 });
      return part.text;
    };
    const loop = new LoopState(items, depth, node.isRecursive ? recurse : null);
    for (const [index, item] of items.entries()) {
      loop.moveTo(index);
      const inner = new TemplateScope(scope);
      inner.set("loop", loop);
      this.#assign(inner, node.target, item);
      this.#runBody(node.body, inner, output);
    }
    if (items.length === 0) this.#runBody(node.otherwise, new TemplateScope(scope), output);
  }

  #assign(scope: TemplateScope, target: AssignmentTarget, value: Value): void {
    if (target.kind === "name") scope.set(target.name, value);
    else if (target.kind === "member") {
      const space = scope.get(target.name);
      if (!(space instanceof Namespace))
        throw new TemplateError(
          `attributes can be set only of a namespace, and ${target.name} is none`,
        );
      space.set(target.member, value);
    } else {
      const items = itemsOf(this.#run, value);
      if (items.length !== target.targets.length)
        throw new TemplateError(
          `${target.targets.length} names take as many values, there are ${items.length}`,
        );
      target.targets.forEach((each, index) => {
        this.#assign(scope, each, items[index] ?? null);
      });
    }
  }

  #macro(node: MacroNode, scope: TemplateScope): Callable {
    return new Callable(node.name, (args) => {
      const run = this.#run;
      const inner = new TemplateScope(scope);
      bindParameters(node, args, {
        set: (name, value) => inner.set(name, value),
        work: (expression) => evaluate(run, inner, expression),
      });
      return this.#captured(node.body, inner);
    });
  }
}
