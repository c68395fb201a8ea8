export interface CsrfTokenRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly client: string;
  readonly token: string;
  readonly expiration: string;
}
