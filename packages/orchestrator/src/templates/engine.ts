import { randomInt } from "node:crypto";
import { createTemplateEngine, type TemplateEngine } from "@orchestrator/jinja";
import { systemClock } from "@orchestrator/kernel/pure";
import { Lru } from "../lru.ts";
import { LINK_FILTERS } from "./link-filters.ts";

const RANDOM_STEPS = 2 ** 32;

/** The templates of users: Jinja, with filters for links. */
export const templates: TemplateEngine = createTemplateEngine({
  nowMicros: () => systemClock.nowMicros(),
  random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
  cache: new Lru({ entries: 500, keyCharacters: 2_000_000 }),
  filters: LINK_FILTERS,
});
