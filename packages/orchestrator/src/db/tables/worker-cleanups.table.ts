/** Infrastructure of a run that somebody has to take down. */
export interface WorkerCleanupRow {
  readonly id: string;
  readonly created: string;
  readonly work_pool_id: string;
  readonly work_queue_id: string;
  readonly flow_run_id: string;
  readonly infrastructure_pid: string;
  readonly kind: string;
  /** How often a worker was told. */
  readonly delivery_count: number;
  /** Whoever knows it was told last. */
  readonly reservation_token: string | null;
  /** Until then nobody else is told. */
  readonly lease_expires_at: string | null;
}
