import type { Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId, InviteCode } from '../../../domain/ids/ids.ts'
import { expiresAt, isOfGuild, stands } from '../../../domain/invite/state.ts'
import { firstTextChannel } from '../../../domain/permissions/first-text-channel.ts'
import { asCustomCode } from '../../../domain/text/normalise.ts'
import { redemptionIdOf } from '../admission/admit-by-invite.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { CustomUrlRecord, GroupInviteRecord, InviteRecord } from '../../ports/queries/invite-queries.ts'
import type { Ports } from '../../ports.ts'

/** What a code belongs to: an invite to a guild or a private channel, or a guild's custom invite URL. */
export type FoundInvite = GuildInvite | { readonly kind: 'group'; readonly invite: GroupInviteRecord }

/** An invite or a custom invite URL of a guild. */
export type GuildInvite =
  | { readonly kind: 'guild'; readonly guildId: GuildId; readonly invite: InviteRecord }
  | { readonly kind: 'custom'; readonly guildId: GuildId; readonly invite: CustomInvite }

/** A custom invite URL in the form of an invite: without an inviter, never expiring. */
export interface CustomInvite {
  readonly code: InviteCode
  readonly inviterId: null
  readonly expiresAt: null
  readonly temporary: false
}

/** Finds what a code belongs to: first with its exact case, then in lower case among custom codes (rules/invites#find). */
export async function findInvite(
  { queries }: Pick<Ports, 'queries'>,
  code: InviteCode,
  context: Pick<CommandContext, 'now'>,
): Promise<FoundInvite | undefined> {
  const invite = await queries.invites.find(code, context.now)
  if (invite) return found(invite)
  const url = await queries.invites.custom(asCustomCode(code))
  return url && custom(url)
}

/**
 * The same for a caller who accepts. Also finds the invite whose last use an earlier try of this same command took, so that the
 * repeated command gets the same answer.
 */
export async function findInviteToAccept(
  ports: Pick<Ports, 'aggregates' | 'queries'>,
  code: InviteCode,
  context: CommandContext,
): Promise<FoundInvite | undefined> {
  const first = await findInvite(ports, code, context)
  if (first || !context.mayRepeat) return first
  const { state } = await ports.aggregates.invite.load(code)
  if (state.status !== 'created' || !stands(state, redemptionIdOf(context))) return undefined
  const { terms, uses } = state
  const now = { uses, expiresAt: expiresAt(terms) }
  return found(isOfGuild(terms) ? { ...terms, ...now } : { ...terms, ...now, guildId: null })
}

/**
 * The guild channel that an invite leads to. Refuses with UNKNOWN_CHANNEL if it was deleted, and with UNKNOWN_INVITE if a custom
 * invite URL has none.
 */
export function channelIn(guild: Guild, { kind, invite }: GuildInvite): Channel {
  if (kind === 'custom') return firstTextChannel(guild) ?? reject('UNKNOWN_INVITE')
  return guild.channels.find(({ id }) => id === invite.channelId) ?? reject('UNKNOWN_CHANNEL')
}

function found(invite: InviteRecord | GroupInviteRecord): FoundInvite {
  return isGroups(invite) ? { kind: 'group', invite } : { kind: 'guild', guildId: invite.guildId, invite }
}

function isGroups(invite: InviteRecord | GroupInviteRecord): invite is GroupInviteRecord {
  return invite.guildId === null
}

function custom({ code, guildId }: CustomUrlRecord): GuildInvite {
  return { kind: 'custom', guildId, invite: { code, inviterId: null, expiresAt: null, temporary: false } }
}
