import { expiresAt } from '../../domain/invite/state.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { groupInviteMetadataObject, type InviteMetadataObject } from '../objects/guilds/invite-objects.js'
import type { GroupInviteRecord } from '../ports/queries/invite-queries.js'
import type { PrivateChannel } from '../ports/queries/private-channel-queries.js'
import type { Ports } from '../ports.js'
import { drawCode } from './codes/draw-code.js'
import { groupInvitePartsIn } from './invite-parts.js'
import type { InviteWishes } from './invite-wishes.js'

/**
 * Makes an invite to a private channel that the caller takes part in, or gives the equivalent one that stands. One to a direct
 * message lets nobody in besides the two. Nobody is led to somebody's notes: INVALID_CHANNEL_TYPE. Contract: part 1, Create channel
 * invite.
 */
export async function createPrivateInvite(
  ports: Pick<Ports, 'aggregates' | 'queries'>,
  caller: Caller,
  channel: PrivateChannel,
  wishes: InviteWishes,
): Promise<InviteMetadataObject> {
  if (channel.kind === 'notes') return reject('INVALID_CHANNEL_TYPE')
  const { maxUses, maxAge, temporary, unique } = wishes
  const now = caller.context.now
  const terms = { channelId: channel.id, inviterId: caller.account.id, maxUses, maxAge, temporary }
  const standing = unique ? undefined : await ports.queries.invites.equivalentInPrivate(terms, now)
  const invite = standing ?? (await make(ports, caller, channel, terms))
  const parts = await groupInvitePartsIn(ports, channel, invite)
  return groupInviteMetadataObject(parts ?? reject('UNKNOWN_CHANNEL'))
}

type Terms = Pick<GroupInviteRecord, 'channelId' | 'inviterId' | 'maxUses' | 'maxAge' | 'temporary'>

async function make(
  ports: Pick<Ports, 'aggregates'>,
  caller: Caller,
  { recipients }: PrivateChannel,
  wanted: Terms,
): Promise<GroupInviteRecord> {
  const terms = { ...wanted, createdAt: caller.context.now }
  const code = await drawCode(ports, caller, (drawn) => ({
    type: 'CreateGroupInvite',
    terms: { ...terms, code: drawn },
    recipients,
  }))
  return { ...terms, code, guildId: null, uses: 0, expiresAt: expiresAt(terms) }
}
