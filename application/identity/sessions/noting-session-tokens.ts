import type { SessionActivity } from '../../ports/session-activity.ts'
import type { SessionTokens } from '../../ports/session-tokens.ts'

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
