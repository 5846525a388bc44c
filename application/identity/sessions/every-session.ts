import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { SessionRecord } from '../../ports/queries/session-queries.js'
import type { Ports } from '../../ports.js'
import { withLastUses } from './last-uses.js'

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
