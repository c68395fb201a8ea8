import { CHOOSING_FILTERS } from "./filters/choosing-filters.ts";
import { DATA_FILTERS } from "./filters/data-filters.ts";
import { HTML_FILTERS } from "./filters/html-filters.ts";
import { HUMANIZE_FILTERS } from "./filters/humanize-filters.ts";
import { LIST_FILTERS } from "./filters/list-filters.ts";
import { NUMBER_FILTERS } from "./filters/number-filters.ts";
import { ORDERING_FILTERS } from "./filters/ordering-filters.ts";
import { TEXT_FILTERS } from "./filters/text-filters.ts";
import { LINK_MAKING } from "./filters/urlize.ts";
import { LIBRARY_TESTS } from "./library-tests.ts";

export const FILTERS = new Map(
  [
    TEXT_FILTERS,
    LIST_FILTERS,
    CHOOSING_FILTERS,
    ORDERING_FILTERS,
    NUMBER_FILTERS,
    HTML_FILTERS,
    LINK_MAKING,
    DATA_FILTERS,
    HUMANIZE_FILTERS,
  ].flatMap((table) => Object.entries(table)),
);

export const TESTS = new Map(Object.entries(LIBRARY_TESTS));
