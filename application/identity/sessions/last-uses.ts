import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { SessionRecord } from '../../ports/queries/session-queries.ts'
import type { Ports } from '../../ports.ts'

/** The given sessions in their order, at most 1000, each with its last use, accurate to some minutes. Its start is a use. */
export async function withLastUses<Session extends Pick<SessionRecord, 'tokenHash' | 'startedAt'>>(
  { sessionActivity }: Pick<Ports, 'sessionActivity'>,
  sessions: readonly Session[],
): Promise<readonly (Session & { readonly lastUsedAt: Timestamp })[]> {
  const used = await sessionActivity.lastUsed(sessions.map(({ tokenHash }) => tokenHash))
  return sessions.map((session) => ({ ...session, lastUsedAt: later(session.startedAt, used.get(session.tokenHash)) }))
}

function later(startedAt: Timestamp, usedAt: Timestamp | undefined): Timestamp {
  return usedAt !== undefined && usedAt > startedAt ? usedAt : startedAt
}
