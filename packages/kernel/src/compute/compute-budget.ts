import { AppError } from "../errors/app-error.ts";

/** What one job may use. */
export interface ComputeBudget {
  readonly cpuMs: number;
  readonly memoryMb: number;
}

export const DEFAULT_BUDGET: ComputeBudget = { cpuMs: 500, memoryMb: 128 };

export type ComputeResource = keyof ComputeBudget;

/**
 * The job was stopped because it used up its budget. The message is for the caller, whose input
 * asked for too much.
 */
export class OverBudgetError extends AppError {
  constructor(title: string, resource: ComputeResource, budget: ComputeBudget) {
    const limit =
      resource === "cpuMs" ? `${budget.cpuMs} ms of CPU time` : `${budget.memoryMb} MB of memory`;
    super("invalid", `${title} takes more than its budget of ${limit}; make it simpler or smaller`);
  }
}
