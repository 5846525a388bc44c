import { timingSafeEqual } from 'node:crypto'
import type { Connection } from '../connections/connection.ts'
import { closings } from '../protocol/closings.ts'
import { readResume, type Resume } from '../protocol/resume.ts'
import { tokenHashOf } from '../starts/token-hash.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { GuildRequests } from './guild-requests.ts'

export interface ResumeSettings {
  readonly sessions: Sessions
  readonly guildRequests: GuildRequests
}

/** Handles a Resume. What each fault leads to: rules/gateway#resume. */
export function resumeHandler(settings: ResumeSettings): (connection: Connection, d: unknown) => void {
  return (connection, d) => {
    const read = readResume(d)
    if (!read.ok) {
      connection.close(read.closing)
      return
    }
    connection.start = undefined
    const session = settings.sessions.find(read.value.sessionId)
    if (session) resume(settings, connection, session, read.value)
    else refuse(settings, connection)
  }
}

function resume(settings: ResumeSettings, connection: Connection, session: Session, { token, seq }: Resume): void {
  if (!isTokenOf(session, token)) {
    connection.close(closings.invalidToken)
    return
  }
  switch (session.canResumeAt(seq)) {
    case 'unavailable':
      connection.close(closings.sessionUnavailable)
      return
    case 'invalid_sequence':
      connection.close(closings.invalidSequence)
      return
    case 'hole':
      refuse(settings, connection)
      return
    case 'resumed':
      take(settings, connection, session, seq)
  }
}

function take(settings: ResumeSettings, connection: Connection, session: Session, seq: number): void {
  if (connection.session !== session) leave(settings, connection)
  connection.stopExpecting()
  connection.session = session
  settings.sessions.attach(session, connection)
  session.replayAfter(seq)
  settings.guildRequests.resumedAt(session, seq)
}

/** The client now has no session, and may identify on the same socket. */
function refuse(settings: ResumeSettings, connection: Connection): void {
  leave(settings, connection)
  connection.invalidate()
}

function leave({ sessions }: ResumeSettings, connection: Connection): void {
  if (connection.session) sessions.detach(connection.session, connection)
  connection.session = undefined
}

/** Compares hashes, which have equal length, in constant time. */
function isTokenOf(session: Session, token: string): boolean {
  return timingSafeEqual(Buffer.from(session.tokenHash), Buffer.from(tokenHashOf(token)))
}
