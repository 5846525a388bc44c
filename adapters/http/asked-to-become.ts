import type { AccountId } from '../../domain/ids/ids.ts'

/** A request that becomes others, by whom, and its command. */
export interface AskedToBecome<P, B> {
  readonly params: P
  readonly body: B
  readonly by: AccountId
  readonly commandId: string
}
