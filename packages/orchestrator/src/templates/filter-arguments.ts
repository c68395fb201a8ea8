/** What stands in brackets behind a filter, by its name or by its place. */
export type FilterArguments = (name: string, place: number) => unknown;
export type TemplateFilter = (value: unknown, given: FilterArguments) => string;
