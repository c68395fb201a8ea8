export { floatText } from "./exact-decimal.ts";
export type { ReferencedMembers } from "./referenced-members.ts";
export {
  createTemplateEngine,
  isTemplate,
  mayBeWrong,
  type Rendering,
  type TemplateContext,
  type TemplateEngine,
} from "./render.ts";
export { TemplateError, type TemplateProblem } from "./template-error.ts";
export { readTime } from "./times/read-time.ts";
export { TimeSpan } from "./times/time-kinds.ts";
export { filter } from "./values/arguments.ts";
export { fromData } from "./values/from-data.ts";
export {
  type Arguments,
  Callable,
  charactersOf,
  Dict,
  DictView,
  EnumMember,
  isText,
  List,
  ObjectValue,
  orElse,
  Tuple,
  type Value,
} from "./values/kinds.ts";
export { inlineBudget, type RenderBudget, renderBudget } from "./values/meter.ts";
export { ModelValue } from "./values/model.ts";
export { quotedText } from "./values/quoted-text.ts";
export type { TemplateFilter } from "./values/run.ts";
