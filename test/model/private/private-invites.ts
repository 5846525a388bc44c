import { expect } from 'vitest'
import { isListener } from '../news/told.ts'
import type { Person } from '../support/cast.ts'
import { done, refuse, refuseWith, type Done, type Told } from '../support/outcomes.ts'
import type { Body } from '../support/wire.ts'
import {
  limits,
  newestFirst,
  type InviteWishes,
  type ModelPrivateChannel,
  type PrivateInvite,
  type World,
} from '../support/world.ts'

/** The operations on invites, for groups and direct messages. */

const types = { direct: 1, group: 3 } as const

function objectOf(world: World, { id, kind, recipients }: ModelPrivateChannel, invite: PrivateInvite): Body {
  const names = recipients.map((each) => ({ username: world.byId(each)?.person?.username }))
  const expiry = new Date(Date.parse(invite.createdAt) + invite.maxAge * 1000)
  return {
    code: invite.code,
    type: 1,
    channel: { id, name: null, type: types[kind], ...(kind === 'group' ? { recipients: byName(names) } : {}) },
    inviter: { id: invite.inviterId },
    member_count: recipients.length,
    expires_at: invite.maxAge === 0 ? null : expiry.toISOString(),
    temporary: invite.temporary,
  }
}

const byName = (names: readonly { readonly username: string | undefined }[]) =>
  names.toSorted((one, other) => ((one.username ?? '') < (other.username ?? '') ? -1 : 1))

function metadataOf(world: World, channel: ModelPrivateChannel, invite: PrivateInvite): Body {
  const { createdAt, uses, maxUses } = invite
  return { ...objectOf(world, channel, invite), created_at: createdAt, uses, max_uses: maxUses }
}

/** The members that the answer for a private channel does not have. */
function expectOfPrivate(answer: unknown): void {
  for (const member of ['guild', 'presence_count', 'max_age']) expect(answer).not.toHaveProperty(member)
}

const toRecipients = (world: World, { recipients }: ModelPrivateChannel, told: Told): readonly Told[] =>
  recipients.some((id) => isListener(world, id)) ? [told] : []

/** Only for recipients. */
export function createPrivateInvite(
  world: World,
  channel: ModelPrivateChannel,
  { id: inviterId }: Person,
  wishes: InviteWishes,
): Done {
  if (!channel.recipients.includes(inviterId)) refuse('UNKNOWN_CHANNEL')
  const terms = {
    channelId: channel.id,
    inviterId,
    maxUses: wishes.max_uses ?? 0,
    maxAge: wishes.max_age ?? 0,
    temporary: wishes.temporary ?? false,
  }
  const keys = Object.keys(terms) as (keyof typeof terms)[]
  const standing = world.privateInvites.filter((invite) => keys.every((key) => invite[key] === terms[key]))
  if (wishes.unique !== true && standing.length > 0)
    return done(200, (answer) => {
      const found = standing.find(({ code }) => code === (answer as Body)['code'])
      expect(found).toBeDefined()
      return found && metadataOf(world, channel, found)
    })
  let made: PrivateInvite
  const created = done(200, (answer) => {
    expectOfPrivate(answer)
    const { code, created_at: createdAt } = answer as { readonly code: string; readonly created_at: string }
    expect(code).toMatch(/^[A-Za-z0-9]{8}$/)
    expect(world.codes).not.toContain(code)
    made = { ...terms, code, createdAt, uses: 0 }
    world.privateInvites.push(made)
    world.note(code)
    return metadataOf(world, channel, made)
  })
  const told = () => ({ ...metadataOf(world, channel, made), channel_id: channel.id })
  const tells = () => toRecipients(world, channel, { t: 'INVITE_CREATE', d: told() })
  return { ...created, tells }
}

export function getPrivateInvite(world: World, invite: PrivateInvite): Done {
  const channel = world.privateChannel(invite.channelId) ?? refuse('UNKNOWN_CHANNEL')
  return done(200, (answer) => {
    expectOfPrivate(answer)
    return objectOf(world, channel, invite)
  })
}

export function acceptPrivateInvite(world: World, person: Person, invite: PrivateInvite): Done {
  const channel = world.privateChannel(invite.channelId) ?? refuse('UNKNOWN_INVITE')
  if (channel.recipients.includes(person.id)) return done(200, () => objectOf(world, channel, invite))
  if (!person.isClaimed) refuse('UNCLAIMED_ACCOUNT_CANNOT_JOIN_GROUP_DMS')
  if (channel.kind !== 'group') refuse('INVALID_CHANNEL_TYPE')
  if (channel.recipients.length >= limits.max_group_dm_recipients)
    refuseWith('MAX_GROUP_DM_RECIPIENTS', { max_recipients: limits.max_group_dm_recipients })
  const admitted = done(200, () => {
    channel.recipients.push(person.id)
    invite.uses += 1
    if (invite.maxUses !== 0 && invite.uses >= invite.maxUses) world.removeInvite(invite.code)
    return objectOf(world, channel, invite)
  })
  const added = { t: 'CHANNEL_RECIPIENT_ADD', d: { channel_id: channel.id, user: { id: person.id } } }
  const tells = () =>
    isListener(world, person.id)
      ? [{ t: 'CHANNEL_CREATE', d: { id: channel.id, type: 3, owner_id: channel.ownerId } }]
      : toRecipients(world, channel, added)
  return { ...admitted, tells }
}

export function deletePrivateInvite(world: World, person: Person, invite: PrivateInvite): Done {
  const channel = channelFor(world, person, invite.channelId)
  if (channel.ownerId !== person.id) refuse('MISSING_PERMISSIONS')
  const gone = { t: 'INVITE_DELETE', d: { code: invite.code, channel_id: channel.id } }
  const removed = done(204, () => {
    world.removeInvite(invite.code)
  })
  return { ...removed, tells: () => toRecipients(world, channel, gone) }
}

/** The invites of a group, for its owner. */
export function listPrivateInvites(world: World, person: Person, channelId: string): Done {
  const channel = channelFor(world, person, channelId)
  if (channel.kind !== 'group') refuse('UNKNOWN_CHANNEL')
  if (channel.ownerId !== person.id) refuse('MISSING_PERMISSIONS')
  return done(200, () =>
    newestFirst(world.privateInvites.filter((invite) => invite.channelId === channelId)).map((invite) =>
      metadataOf(world, channel, invite),
    ),
  )
}

function channelFor(world: World, { id }: Person, channelId: string): ModelPrivateChannel {
  const channel = world.privateChannel(channelId)
  return channel?.recipients.includes(id) === true ? channel : refuse('UNKNOWN_CHANNEL')
}
