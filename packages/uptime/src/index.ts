export { createUptime } from "./service.ts";
