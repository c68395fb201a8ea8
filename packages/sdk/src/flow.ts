import { type DeployOptions, deployFlow } from "./deploy/deploy.ts";
import { type Served, type ServeOptions, serveFlow } from "./deploy/serve.ts";
import { checkOptions } from "./options/check-options.ts";
import type { FlowOptions } from "./options/options.ts";
import type { SchemaLike } from "./parameters/parameter-schema.ts";
import type { InputOf, OutputOf, StandardSchema } from "./parameters/standard-schema.ts";
import { callFlow } from "./run/call-flow.ts";
import type { FlowDefinition } from "./run/flow-run.ts";
import type { FlowRunHandle } from "./start/run-handle.ts";
import { type FlowStartOptions, startFlow } from "./start/start-flow.ts";

export type FlowArgs = [] | [parameters?: object | undefined];

/** A function whose calls are flow runs. Its parameters are one object, or nothing. */
export interface Flow<Args extends FlowArgs, Value> {
  /** Runs it in this process. Within another flow it is a run of its own within that one. */
  (...args: Args): Promise<Value>;
  readonly definition: FlowDefinition;
  /** Starts a run in this process, or of one of its deployments, and does not wait for its end. */
  readonly start: (...args: CallWith<Args, FlowStartOptions>) => Promise<FlowRunHandle<Value>>;
  /** Makes a deployment of it and carries out its runs in this process, until it is stopped. */
  readonly serve: (options: ServeOptions) => Promise<Served>;
  /** Makes a deployment of it for the workers of a pool. */
  readonly deploy: (options: DeployOptions) => Promise<{ readonly id: string }>;
  /** The same flow with other options. */
  readonly withOptions: (options: FlowOptions<Args>) => Flow<Args, Value>;
}

/** The parameters, and how. */
export type CallWith<Args extends FlowArgs, Options> = Args extends [infer Parameters]
  ? [parameters: Parameters, options?: Options | undefined]
  : [parameters?: Args[0], options?: Options | undefined];

type ArgsOf<Input> = Input extends object
  ? Record<never, never> extends Input
    ? [parameters?: Input]
    : [parameters: Input]
  : FlowArgs;

type WithSchema<Schema> = { readonly parameters: Schema };

/** Makes a flow of a function. */
export function flow<Schema extends StandardSchema, Value>(
  options: Omit<FlowOptions<[OutputOf<Schema>]>, "parameters"> & WithSchema<Schema>,
  body: (parameters: OutputOf<Schema>) => Value | Promise<Value>,
): Flow<ArgsOf<InputOf<Schema>>, Value>;
export function flow<Args extends FlowArgs, Value>(
  options: FlowOptions<Args> & Partial<WithSchema<SchemaLike>>,
  body: (...args: Args) => Value | Promise<Value>,
): Flow<Args, Value>;
export function flow<Args extends FlowArgs, Value>(
  body: (...args: Args) => Value | Promise<Value>,
  options?: FlowOptions<Args> & Partial<WithSchema<SchemaLike>>,
): Flow<Args, Value>;
export function flow(first: unknown, second: unknown): unknown {
  const body = typeof first === "function" ? first : second;
  const options = (typeof first === "function" ? second : first) ?? {};
  if (typeof body !== "function" || typeof options !== "object") {
    throw new TypeError("A flow is made of a function and options");
  }
  return createFlow(body as FlowDefinition["body"], options as FlowDefinition["options"]);
}

function createFlow(body: FlowDefinition["body"], options: FlowDefinition["options"]): unknown {
  const name = options.name ?? body.name;
  if (name === "") throw new TypeError("A flow whose function has no name needs the option `name`");
  checkOptions("flow", name, options);
  const definition: FlowDefinition = { name, options, body };
  const made = Object.assign(
    (...args: readonly unknown[]): Promise<unknown> => callFlow(definition, args),
    {
      definition,
      start: (parameters?: object, how?: FlowStartOptions) =>
        startFlow(definition, parameters, how),
      serve: (how: ServeOptions) => serveFlow(definition, how),
      deploy: (how: DeployOptions) => deployFlow(definition, how),
      withOptions: (more: FlowDefinition["options"]) =>
        createFlow(body, { ...options, ...more, name: more.name ?? name }),
    },
  );
  return Object.defineProperty(made, "name", { value: name });
}
