/**
 * How long the pages are that people look at. Few, because each is a statement of its own; and none
 * so long that, while there are hardly more rows, all would be sorted, by a plan that is kept when
 * there are more.
 */
const USUAL_LENGTHS: ReadonlySet<number> = new Set([1, 10, 20, 25, 50]);

/**
 * The first page of everything is found the same way for everybody: once its length is known, it
 * need not be planned again.
 */
export const isUsualPage = ({
  limit,
  offset,
}: {
  readonly limit: number;
  readonly offset: number;
}): boolean => offset === 0 && USUAL_LENGTHS.has(limit);
