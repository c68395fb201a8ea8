import { createTemplateEngine } from "../render.ts";

export const templates = createTemplateEngine({
  nowMicros: () => Date.now() * 1000,
  random: Math.random,
  cache: new Map(),
});
