import type { AccountEvent } from './events.ts'

/** The token hashes of the sessions that an event ended. */
export function endedSessions(event: AccountEvent): readonly string[] {
  switch (event.type) {
    case 'SessionEnded':
      return [event.data.tokenHash]
    case 'SessionsEnded':
      return event.data.tokenHashes
    default:
      return []
  }
}
