import type {
  ObservedState,
  ObservedStatesQuery,
  State,
  StatesOfFlowRun,
  StatesOfTaskRun,
  Static,
} from "@orchestrator/contract";
import { get, getWith } from "../transport/operation.ts";

export const flowRunStates = {
  read: get<(id: string) => State>("/flow_run_states/{id}"),
  /** All states a run has had, oldest first. */
  list: getWith<(query: Static<typeof StatesOfFlowRun>) => State[]>("/flow_run_states/"),
};

export const taskRunStates = {
  read: get<(id: string) => State>("/task_run_states/{id}"),
  /** All states a run has had, oldest first. */
  list: getWith<(query: Static<typeof StatesOfTaskRun>) => State[]>("/task_run_states/"),
};

export const observedStates = {
  /** The types and names of states that runs have been in. */
  list: getWith<(query?: ObservedStatesQuery) => ObservedState[]>("/observed-states"),
};
