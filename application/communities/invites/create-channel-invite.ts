import { lacking } from '../../../domain/permissions/authority.ts'
import { takesInvites } from '../../../domain/guild/channel.ts'
import { disabledOperationBits } from '../../../domain/guild/state.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { expiresAt } from '../../../domain/invite/state.ts'
import { findChannel, type ChannelAccess } from '../../access/guild-access.ts'
import { requireAge } from '../../access/require-age.ts'
import { requirePrivateChannel } from '../../access/private-channel-access.ts'
import { findThread } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { inviteMetadataObject, type InviteMetadataObject } from '../../wire-objects/communities/invite-objects.ts'
import type { InviteRecord } from '../../ports/queries/invite-queries.ts'
import type { Ports } from '../../ports.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { createPrivateInvite } from './create-private-invite.ts'
import { drawCode } from './codes/draw-code.ts'
import { invitePartsIn } from './invite-parts.ts'
import type { InviteWishes } from './invite-wishes.ts'
import { withinGuildsInvites } from './within-invites.ts'
import { existingOrMade } from './existing-or-made.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'reservations' | 'limits' | 'locks' | 'presence'>

/**
 * Creates an invite to a guild channel, or gives the equivalent existing one. Refuses with UNKNOWN_CHANNEL, MISSING_ACCESS,
 * MISSING_PERMISSIONS, INVALID_CHANNEL_TYPE, NSFW_CONTENT_AGE_RESTRICTED, FEATURE_TEMPORARILY_DISABLED, MAX_INVITES, and as
 * `existingOrMade` does; the order, and why: rules/invites#create.
 */
export function createChannelInvite(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, wishes: InviteWishes): Promise<InviteMetadataObject> => {
    const access = await requireInvitable(ports, caller, channelId)
    if ('kind' in access) return createPrivateInvite(ports, caller, access, wishes)
    checkAllowed(caller, access)
    const terms = { ...wishes, channelId: access.channel.id, inviterId: caller.account.id }
    const invite = await existingOrMade(ports, terms, wishes.unique, {
      find: () => ports.queries.invites.equivalent(terms, caller.context.now),
      make: () => makeWithinLimit(ports, caller, access, wishes),
    })
    return inviteMetadataObject(await invitePartsIn(ports, access, invite, caller.account))
  }
}

/**
 * A guild channel, or a private one with the caller as a recipient. Threads have no invites: a caller who can view one gets
 * INVALID_CHANNEL_TYPE. `findThread` says what other callers get.
 */
async function requireInvitable(
  ports: Needs,
  caller: Caller,
  channelId: ChannelId,
): Promise<ChannelAccess | PrivateChannel> {
  const channel = await findChannel(ports, caller, channelId)
  if (channel) return channel
  if (await findThread(ports, caller, channelId)) return reject('INVALID_CHANNEL_TYPE')
  return requirePrivateChannel(ports, caller, channelId)
}

function checkAllowed(caller: Caller, { guild, channel, can }: ChannelAccess): void {
  if (!can('VIEW_CHANNEL')) reject('MISSING_ACCESS')
  if (!takesInvites(channel)) reject('INVALID_CHANNEL_TYPE')
  if (!can('CREATE_INSTANT_INVITE')) reject(lacking('CREATE_INSTANT_INVITE'))
  requireAge(guild, channel, caller)
  if (guild.settings.disabledOperations & disabledOperationBits.INSTANT_INVITES) reject('FEATURE_TEMPORARILY_DISABLED')
}

function makeWithinLimit(
  ports: Needs,
  caller: Caller,
  access: ChannelAccess,
  wishes: InviteWishes,
): Promise<InviteRecord> {
  return withinGuildsInvites(ports, access.guild, caller.context.now, () => make(ports, caller, access, wishes))
}

async function make(
  ports: Needs,
  caller: Caller,
  { guild, channel }: ChannelAccess,
  { maxUses, maxAge, temporary }: InviteWishes,
): Promise<InviteRecord> {
  const inviterId = caller.account.id
  const createdAt = caller.context.now
  const terms = { guildId: guild.id, channelId: channel.id, inviterId, maxUses, maxAge, temporary, createdAt }
  const code = await drawCode(ports, caller, (drawn) => ({ type: 'CreateInvite', terms: { ...terms, code: drawn } }))
  return { ...terms, code, uses: 0, expiresAt: expiresAt(terms) }
}
