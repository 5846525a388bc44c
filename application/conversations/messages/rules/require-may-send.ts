import { lacking } from '../../../../domain/permissions/authority.ts'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { accountId, type ChannelId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { isTimedOut } from '../../../../domain/membership/state.ts'
import { isVerifiedFor } from '../../../../domain/messages/verification.ts'
import { hasFlag } from '../../../../domain/account/flags.ts'
import { heldRoles } from '../../../../domain/permissions/held-roles.ts'
import { isClaimed } from '../../../access/account-standing.ts'
import type { GuildTextChannel, TextPlace } from '../text-places.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import type { SentMessage } from '../sent-message.ts'
import { requireMayEmbed } from './require-embeds.ts'
import type { Ports } from '../../../ports.ts'

type Needs = Pick<Ports, 'startedSessions'>

/**
 * Demands that the caller may write in a place, whatever the text says. Refuses in this order: unless it is a bot, with
 * field code MUST_START_SESSION_BEFORE_SENDING on the text's member; in a guild 403 MISSING_PERMISSIONS for embeds without EMBED_LINKS, COMMUNICATION_DISABLED,
 * FEATURE_TEMPORARILY_DISABLED, MISSING_PERMISSIONS, GUILD_VERIFICATION_REQUIRED; then as the kind of place does
 * (rules/messages#send). `at`: where the message is in the body.
 */
export async function requireMaySend(
  ports: Needs,
  caller: Caller,
  place: TextPlace,
  { embeds }: Pick<SentMessage, 'embeds'>,
  at = '',
): Promise<void> {
  await requireEarlierSession(ports, caller, `${at}content`)
  requireMayEmbed(place, embeds)
  if (place.kind === 'guild') requireMayWrite(caller, place)
  await place.sending.check?.()
}

/**
 * Demands a claimed account, before anything is said of the channel: 400 UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES, except in its
 * own notes, which have its id.
 */
export function requireClaimed({ account }: Caller, channelId: ChannelId): void {
  if (!isClaimed(account) && accountId(channelId) !== account.id) reject('UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES')
}

/**
 * Demands that a person has had a session at the Gateway: field code MUST_START_SESSION_BEFORE_SENDING on `path`. A bot
 * may do without one (decision 202).
 */
export async function requireEarlierSession(
  { startedSessions }: Needs,
  { account }: Caller,
  path: string,
): Promise<void> {
  if (account.bot || hasFlag(account, 'HAS_SESSION_STARTED') || (await startedSessions.has(account.id))) return
  reject('INVALID_FORM_BODY', field(path, 'MUST_START_SESSION_BEFORE_SENDING'))
}

function requireMayWrite(caller: Caller, place: GuildTextChannel): void {
  const { account, context } = caller
  const { guild, member } = place.access
  requireNotTimedOut(caller, place)
  requireMessagesEnabled(place)
  if (!place.can('SEND_MESSAGES')) reject(lacking('SEND_MESSAGES'))
  const { bot, emailVerified, registeredAt } = account
  const verified = { bot, emailVerified, registeredAt, isClaimed: isClaimed(account) }
  // Deleted roles do not count as held.
  if (!isVerifiedFor(guild, heldRoles(guild, member), verified, context.now)) reject('GUILD_VERIFICATION_REQUIRED')
}

/** COMMUNICATION_DISABLED for a member who is timed out (rules/members#timeouts). */
export function requireNotTimedOut({ context }: Caller, place: TextPlace): void {
  if (place.kind === 'guild' && isTimedOut(place.access.member, context.now)) reject('COMMUNICATION_DISABLED')
}

/** 403 FEATURE_TEMPORARILY_DISABLED while the guild has SEND_MESSAGE disabled: nobody can write or delete messages. */
export function requireMessagesEnabled(place: TextPlace): void {
  if (place.kind !== 'guild') return
  const { disabledOperations } = place.access.guild.settings
  if (disabledOperations & disabledOperationBits.SEND_MESSAGE) reject('FEATURE_TEMPORARILY_DISABLED')
}
