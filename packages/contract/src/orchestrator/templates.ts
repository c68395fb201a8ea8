import { type Static, Type } from "typebox";
import { Int, Model, Nullable } from "../schema/index.ts";

export const TemplateText = Nullable(Type.String(), {
  description: "The template, as a JSON string or, sent as text/plain, as it is",
});

export const TemplateProblem = Model(
  {
    line: Int({ description: "The line of the template, beginning with 1" }),
    message: Type.String(),
    source: Type.String({ description: "The template" }),
  },
  { $id: "TemplateProblem" },
);
export type TemplateProblem = Static<typeof TemplateProblem>;

export const InvalidTemplate = Model({ error: TemplateProblem }, { $id: "InvalidTemplate" });
