import { type Static, type TObject, type TProperties, Type } from "typebox";
import {
  Flag,
  JsonObject,
  JsonValue,
  Nullable,
  Seconds,
  StringEnum,
  TaggedUnion,
  Uuid,
} from "../schema/index.ts";
import { StateType } from "./common.ts";

const MAX_TEXT = 100_000;
const MAX_STATE_NAME = 255;
/** A year. */
const MAX_DELAY_SECONDS = 31_536_000;

/** Keys that are not known are ignored. */
function action<const Name extends string, Fields extends TProperties>(type: Name, fields: Fields) {
  const properties = { type: Type.Literal(type), ...fields };
  return Type.Object(properties, { $id: pascalCase(type) }) as TObject<
    Fields & { type: Type.TLiteral<Name> }
  >;
}

const pascalCase = (words: string): string =>
  words.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());

const source = () =>
  Type.Optional(
    Nullable(
      StringEnum(["selected", "inferred"], {
        description: "Whether the resource is named here or taken from the event",
      }),
    ),
  );
const id = () => Type.Optional(Nullable(Uuid()));
const text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));

const ofDeployment = { source: source(), deployment_id: id() };
const ofWorkPool = { source: source(), work_pool_id: id() };
const ofWorkQueue = { source: source(), work_queue_id: id() };
const ofAutomation = { source: source(), automation_id: id() };
const ofMonitor = { source: source(), monitor_id: id() };

/** What is done when a trigger fires. */
export const Action = TaggedUnion(
  "type",
  [
    action("do-nothing", {}),
    action("run-deployment", {
      ...ofDeployment,
      parameters: Type.Optional(Nullable(JsonObject())),
      job_variables: Type.Optional(Nullable(JsonObject())),
      schedule_after: Type.Optional(Nullable(Seconds({ minimum: 0, maximum: MAX_DELAY_SECONDS }))),
    }),
    action("pause-deployment", ofDeployment),
    action("resume-deployment", ofDeployment),
    action("cancel-flow-run", {}),
    action("suspend-flow-run", {}),
    action("resume-flow-run", {}),
    action("delete-flow-run", {}),
    action("change-flow-run-state", {
      state: StateType,
      name: text(MAX_STATE_NAME),
      message: text(MAX_TEXT),
      force: Type.Optional(Nullable(Flag())),
    }),
    action("pause-work-pool", ofWorkPool),
    action("resume-work-pool", ofWorkPool),
    action("pause-work-queue", ofWorkQueue),
    action("resume-work-queue", ofWorkQueue),
    action("pause-automation", ofAutomation),
    action("resume-automation", ofAutomation),
    action("run-check", ofMonitor),
    action("pause-monitor", ofMonitor),
    action("resume-monitor", ofMonitor),
    action("send-notification", {
      block_document_id: Uuid(),
      subject: text(MAX_TEXT),
      body: Type.String({ maxLength: MAX_TEXT }),
    }),
    action("call-webhook", {
      block_document_id: Uuid(),
      payload: Type.Optional(
        JsonValue({ description: "A template, or JSON that holds templates" }),
      ),
    }),
  ],
  { $id: "AutomationAction" },
);
export type Action = Static<typeof Action>;
export type ActionOf<Name extends Action["type"]> = Extract<Action, { type: Name }>;
