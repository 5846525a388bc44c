import type { RecordedEvent } from '../../ports/event-store.js'
import type { SessionActivity } from '../../ports/session-activity.js'
import type { SessionTokens } from '../../ports/session-tokens.js'

/** Resolves session tokens, and notes the use of their sessions. */
export function notingSessionTokens(tokens: SessionTokens, activity: Pick<SessionActivity, 'note'>): SessionTokens {
  return {
    async resolve(token) {
      const session = await tokens.resolve(token)
      if (session) activity.note(session.tokenHash)
      return session
    },
  }
}

/** Forgets the activity of sessions that end. Call it with every event. */
export function forgettingEndedSessions(activity: Pick<SessionActivity, 'forget'>): (event: RecordedEvent) => void {
  return ({ type, data }) => {
    if (type === 'SessionEnded' && 'tokenHash' in data && typeof data.tokenHash === 'string')
      activity.forget(data.tokenHash)
  }
}
