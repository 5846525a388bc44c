import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { SessionRecord } from '../../ports/queries/session-queries.ts'
import type { Ports } from '../../ports.ts'
import { withLastUses } from './last-uses.ts'

/** A session, live or ended. */
export interface KnownSession extends SessionRecord {
  readonly lastUsedAt: Timestamp
  /** Null while it lives. */
  readonly endedAt: Timestamp | null
}

/** The account's live sessions, then those that ended, each group newest first and at most 1000. */
export async function everySession(
  { queries, sessionActivity }: Pick<Ports, 'queries' | 'sessionActivity'>,
  account: AccountId,
): Promise<readonly KnownSession[]> {
  const [live, ended] = await Promise.all([
    queries.sessions.ofAccount(account).then((sessions) => withLastUses({ sessionActivity }, sessions)),
    queries.sessions.endedOf(account).then((sessions) => withLastUses({ sessionActivity }, sessions)),
  ])
  return [...live.map((session) => ({ ...session, endedAt: null })), ...ended]
}
