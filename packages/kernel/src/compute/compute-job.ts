/** A function that threads run, by the module that exports it: code cannot be sent to a thread. */
export interface ComputeJob<In, Out> {
  /** Address of the module. */
  readonly module: string;
  /** Name of its export. */
  readonly name: string;
  /** What the caller is told has used up its budget. */
  readonly title: string;
  /** Never set: the types of the function. */
  readonly types?: (input: In) => Out;
}

/** What goes in and out is cloned: plain data only. */
export function computeJob<Work extends (input: never) => unknown>(
  module: string,
  name: string,
  title: string,
): ComputeJob<Parameters<Work>[0], ReturnType<Work>> {
  return { module, name, title };
}
