import { hasClosingFlag } from '../../domain/account/flags.ts'
import type { KnownEvent } from '../visibility/known-event.ts'

/**
 * Whether an event of an administrator closes the account. A person's sessions end with events of their own; a bot has none, and
 * its token stays, but may not be used.
 */
export function closesAccount(event: KnownEvent): boolean {
  switch (event.type) {
    case 'AccountBanned':
    case 'AccountDeletionScheduled':
      return true
    case 'FlagsChanged':
      return hasClosingFlag(event.data)
    default:
      return false
  }
}
