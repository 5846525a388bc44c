import type { Undoable } from '../../../../application/administration/undo/undoing.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { Operation } from '../../operation.ts'
import { userBanOperations } from './user-bans.ts'
import { userDeletionOperations } from './user-deletion.ts'
import { userFactOperations } from './user-facts.ts'
import { adminUserOperations } from './users.ts'

/** The request that takes an act on an account back. */
export interface Inverse {
  readonly operation: Operation
  readonly body: object
  /** When the ban or deletion would have ended that the act had replaced, and that does not come back; null for none. */
  readonly replacedUntil: Timestamp | null
}

const operations = [...userBanOperations, ...userDeletionOperations, ...userFactOperations, ...adminUserOperations]

const inverseNames = [
  'Lift ban',
  'Cancel user deletion',
  'Update user flags',
  'Update user premium flags',
  'Set user traits',
  'Set user ACLs',
  'Set user bot status',
  'Set user system status',
  'Change user date of birth',
] as const
type InverseName = (typeof inverseNames)[number]

/** Every operation that takes something back. */
export const inverseOperations: readonly Operation[] = inverseNames.map(named)

/** Gives the request that takes an act back. `notifiesHolder`: whether its holder gets a mail, where there is one. */
export function inverseOf(undoing: Undoable['undoing'], notifiesHolder: boolean): Inverse {
  switch (undoing.outcome) {
    case 'lift_ban':
      return inverse('Lift ban', { notify_user: notifiesHolder }, undoing.replacedUntil)
    case 'cancel_deletion': {
      const body = { expected_pending_deletion_at: undoing.dueAt, notify_user: notifiesHolder }
      return inverse('Cancel user deletion', body, undoing.replacedDueAt)
    }
    case 'change_flags':
      return undoing.isPremium
        ? inverse('Update user premium flags', {
            add_flags: [Number(undoing.add)],
            remove_flags: [Number(undoing.remove)],
          })
        : inverse('Update user flags', { add_flags: [undoing.add], remove_flags: [undoing.remove] })
    case 'set_traits':
      return inverse('Set user traits', { traits: undoing.traits })
    case 'set_acls':
      return inverse('Set user ACLs', { acls: undoing.acls })
    case 'set_bot_status':
      return inverse('Set user bot status', { bot: undoing.bot })
    case 'set_system_status':
      return inverse('Set user system status', { system: undoing.system })
    case 'change_date_of_birth':
      return inverse('Change user date of birth', { date_of_birth: undoing.dateOfBirth })
  }
}

function inverse(name: InverseName, body: object, replacedUntil: Timestamp | null = null): Inverse {
  return { operation: named(name), body, replacedUntil }
}

function named(name: InverseName): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`There is no operation ${name}`)
  return found
}
