/** One page of a list, and how many there are in all. */
export interface PageOf<Row> {
  readonly results: Row[];
  readonly count: number;
  readonly limit: number;
  readonly pages: number;
  readonly page: number;
}
