import { mayMessage } from '../../../domain/private-channel/may-message.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { isStaff } from '../../wire-objects/identity/user-objects.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import type { Ports } from '../../ports.ts'

/**
 * DIRECT_MESSAGES_DISABLED on an instance without direct messages, except for staff (rules/messages#private-channels).
 */
export async function requireDirectMessages(
  { instancePolicies }: Pick<Ports, 'instancePolicies'>,
  { account }: Pick<Caller, 'account'>,
): Promise<void> {
  if (isStaff(account)) return
  const { community } = await instancePolicies.current()
  if (community.directMessagesDisabled) reject('DIRECT_MESSAGES_DISABLED')
}

/**
 * Checks whether the caller may write in a private channel. In notes and groups all recipients may. In a direct message refuses
 * with 403 DIRECT_MESSAGES_DISABLED, and with 400 CANNOT_SEND_MESSAGES_TO_USER if `mayMessage` says no or the other account is
 * gone.
 */
export async function requireMayMessage(
  ports: Pick<Ports, 'instancePolicies' | 'queries'>,
  caller: Caller,
  { kind, recipients }: Pick<PrivateChannel, 'kind' | 'recipients'>,
): Promise<void> {
  if (kind === 'notes') return
  await requireDirectMessages(ports, caller)
  const other = recipients.find((id) => id !== caller.account.id)
  if (kind !== 'direct' || other === undefined) return
  if (!(await canReach(ports, caller, other))) reject('CANNOT_SEND_MESSAGES_TO_USER')
}

async function canReach({ queries }: Pick<Ports, 'queries'>, { account }: Caller, other: AccountId): Promise<boolean> {
  const [record, relationships, shared, chosen] = await Promise.all([
    queries.accounts.find(other),
    queries.relationships.among(account.id, [other]),
    queries.members.sharedGuilds(account.id, other),
    queries.userSettings.find(other),
  ])
  if (!record || record.isErased) return false
  const restricted = account.bot ? chosen?.botRestrictedGuilds : chosen?.restrictedGuilds
  return mayMessage({
    isBlocked: relationships.some(({ type }) => type === relationshipTypes.blocked),
    areFriends: relationships.some(({ type }) => type === relationshipTypes.friend),
    sharedGuilds: shared.map(({ guildId }) => guildId),
    restrictedGuilds: restricted ?? [],
  })
}
