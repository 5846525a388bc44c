import type { InstanceConfigWishes } from '../../../../application/administration/instance/change-instance-config.ts'
import type { AccountUndoing, UndoStep } from '../../../../application/administration/undo/undo-rule.ts'
import type { Operation } from '../../operation.ts'
import { blocklistOperations } from './blocklists.ts'
import { discoveryQueueOperations } from './discovery-queue.ts'
import { discoveryReviewOperations } from './discovery.ts'
import { guildChangeOperations } from './guild-changes.ts'
import { guildMemberOperations } from './guild-members.ts'
import { hashRemovals } from './hash-removals.ts'
import { instanceConfigOperations } from './instance.ts'
import type { Inverse } from './inverse.ts'
import {
  inverseOfMove,
  inverseOnAdminKey,
  inverseOnListing,
  inverseOnReport,
  queueInverseNames,
} from './inverses-in-queues.ts'
import { guildInverseNames, inverseOnGuild, inverseOnMember } from './inverses-on-guilds.ts'
import { blocklistInverseNames, inverseOnBlocklist } from './inverses-on-blocklists.ts'
import { adminKeyOperations } from './keys.ts'
import { limitConfigOperations } from './limit-config.ts'
import { listingRestorations } from './listing-restorations.ts'
import { registrationOperations } from './registrations.ts'
import { adminReportOperations } from './reports.ts'
import { userBanOperations } from './user-bans.ts'
import { userDeletionOperations } from './user-deletion.ts'
import { userFactOperations } from './user-facts.ts'
import { adminUserOperations } from './users.ts'

const operations = [
  ...userBanOperations,
  ...userDeletionOperations,
  ...userFactOperations,
  ...adminUserOperations,
  ...adminKeyOperations,
  ...adminReportOperations,
  ...blocklistOperations,
  ...guildChangeOperations,
  ...guildMemberOperations,
  ...hashRemovals,
  ...discoveryQueueOperations,
  ...discoveryReviewOperations,
  ...listingRestorations,
  ...instanceConfigOperations,
  ...limitConfigOperations,
  ...registrationOperations,
]

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
  ...blocklistInverseNames,
  ...queueInverseNames,
  ...guildInverseNames,
  'Update instance configuration',
  'Set branding asset',
  'Update limit configuration',
  'Revoke registration URL',
]

/** Every operation that takes something back. */
export const inverseOperations: readonly Operation[] = inverseNames.map(operationNamed)

/** Gives the request that takes an act back. `notifiesHolder`: whether its holder gets a mail, where there is one. */
export function inverseOf(step: UndoStep, notifiesHolder: boolean): Inverse {
  switch (step.on) {
    case 'account':
      return { params: { user_id: step.accountId }, ...inverseOnAccount(step.undoing, notifiesHolder) }
    case 'blocklist':
      return inverseOnBlocklist(step)
    case 'admin_key':
      return inverseOnAdminKey(step)
    case 'report':
      return inverseOnReport(step)
    case 'listing':
      return inverseOnListing(step)
    case 'categories':
      return inverseOfMove(step)
    case 'application_claim':
      return { operation: 'Release discovery application', params: { guild_id: step.guildId } }
    case 'guild':
      return inverseOnGuild(step)
    case 'member':
      return inverseOnMember(step)
    case 'policy':
      return {
        operation: 'Update instance configuration',
        wishes: { changes: step.changes, communityName: null } satisfies InstanceConfigWishes,
      }
    case 'branding':
      return { operation: 'Set branding asset', body: { kind: step.kind, image: null } }
    case 'limits':
      return { operation: 'Update limit configuration', wishes: { limit_config: step.config } }
    case 'registration_url':
      return { operation: 'Revoke registration URL', params: { registration_url_id: step.id } }
  }
}

function inverseOnAccount(undoing: AccountUndoing, notifiesHolder: boolean): Omit<Inverse, 'params'> {
  switch (undoing.outcome) {
    case 'lift_ban':
      return {
        operation: 'Lift ban',
        body: { notify_user: notifiesHolder },
        replacedUntil: undoing.replacedUntil,
      }
    case 'cancel_deletion':
      return {
        operation: 'Cancel user deletion',
        body: { expected_pending_deletion_at: undoing.dueAt, notify_user: notifiesHolder },
        replacedUntil: undoing.replacedDueAt,
      }
    case 'change_flags':
      return undoing.isPremium
        ? {
            operation: 'Update user premium flags',
            body: { add_flags: [Number(undoing.add)], remove_flags: [Number(undoing.remove)] },
          }
        : { operation: 'Update user flags', body: { add_flags: [undoing.add], remove_flags: [undoing.remove] } }
    case 'set_traits':
      return { operation: 'Set user traits', body: { traits: undoing.traits } }
    case 'set_acls':
      return { operation: 'Set user ACLs', body: { acls: undoing.acls } }
    case 'set_bot_status':
      return { operation: 'Set user bot status', body: { bot: undoing.bot } }
    case 'set_system_status':
      return { operation: 'Set user system status', body: { system: undoing.system } }
    case 'change_date_of_birth':
      return { operation: 'Change user date of birth', body: { date_of_birth: undoing.dateOfBirth } }
  }
}

/** The operation of an inverse. */
export function operationNamed(name: string): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`There is no operation ${name}`)
  return found
}
