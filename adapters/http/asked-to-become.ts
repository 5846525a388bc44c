import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** A request that becomes others, by whom, and its command. */
export interface AskedToBecome<P, B> {
  readonly params: P
  readonly body: B
  readonly by: AccountId
  readonly commandId: string
  readonly now: Timestamp
}
