import { expiresAt } from '../../../domain/invite/state.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { groupInviteMetadataObject, type InviteMetadataObject } from '../../wire-objects/communities/invite-objects.ts'
import type { GroupInviteRecord } from '../../ports/queries/invite-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { drawCode } from './codes/draw-code.ts'
import { groupInvitePartsIn } from './invite-parts.ts'
import type { InviteWishes } from './invite-wishes.ts'
import { existingOrMade } from './existing-or-made.ts'

type Needs = Pick<Ports, 'aggregates' | 'locks' | 'queries' | 'readModels'>

/**
 * Creates an invite to a private channel of the caller, or gives the equivalent existing one. An invite to a direct message
 * admits nobody besides its two recipients. Notes have no invites: INVALID_CHANNEL_TYPE. Refuses as `existingOrMade` does
 * (rules/invites#create).
 */
export async function createPrivateInvite(
  ports: Needs,
  caller: Caller,
  channel: PrivateChannel,
  wishes: InviteWishes,
): Promise<InviteMetadataObject> {
  if (channel.kind === 'notes') return reject('INVALID_CHANNEL_TYPE')
  const { maxUses, maxAge, temporary, unique } = wishes
  const terms = { channelId: channel.id, inviterId: caller.account.id, maxUses, maxAge, temporary }
  const invite = await existingOrMade(ports, terms, unique, {
    find: () => ports.queries.invites.equivalentInPrivate(terms, caller.context.now),
    make: () => make(ports, caller, channel, terms),
  })
  const parts = await groupInvitePartsIn(ports, channel, invite)
  return groupInviteMetadataObject(parts ?? reject('UNKNOWN_CHANNEL'))
}

type Terms = Pick<GroupInviteRecord, 'channelId' | 'inviterId' | 'maxUses' | 'maxAge' | 'temporary'>

async function make(
  ports: Needs,
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
