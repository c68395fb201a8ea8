/** Who may use the service. */
export interface UptimeAccountRow {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly username: string;
  readonly password_hash: string;
}

/** A browser that was let in: kept by the hash of what its cookie holds. */
export interface LoginSessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly token_hash: string;
  readonly created_at: string;
  /** It ends here unless it is used before. */
  readonly expires_at: string;
  /** It ends here in any case. */
  readonly ends_at: string;
}
