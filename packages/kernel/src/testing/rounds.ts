export { isLongRun, rounds } from "../../../../tests/support/rounds.ts";
