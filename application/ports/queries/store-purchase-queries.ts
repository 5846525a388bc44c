import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** A purchase whose next reading is due. */
export interface DuePurchase {
  /** The id of its stream. */
  readonly purchase: string
  readonly dueAt: Timestamp
}

export interface StorePurchaseQueries {
  /** The streams'' ids of linked subscriptions from a store's sandbox, in the order of ids, at most `limit`; after `after` if given. */
  sandboxSubscriptions(limit: number, after?: string): Promise<readonly string[]>
  /**
   * The purchases that are due to be read from their stores again at an instant, longest due first, at most `limit`;
   * after `after` if it is given. A purchase is due until a reading of it is recorded.
   */
  due(now: Timestamp, limit: number, after?: DuePurchase): Promise<readonly DuePurchase[]>
}
