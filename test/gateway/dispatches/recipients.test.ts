import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dispatchCatalogue } from '../../../cli/gateway-reference/dispatch-catalogue.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import type { DispatchName } from '../../../gateway/protocol/dispatch-names.ts'
import { passiveUpdates_ms } from '../../../gateway/messages/passive-updates.ts'
import { bareBan } from '../../../domain/testing/people.ts'
import { deny } from '../support/chat.ts'
import { everybody, openCrowd, threadMember, type Crowd, type Name } from '../support/crowd.ts'
import { active, aware, inGuild, sighted, without } from '../support/hearers.ts'
import { joined, sometime, start } from '../support/facts.ts'
import {
  guildObject,
  readyGuild,
  member,
  channel,
  message,
  reaction,
  thread,
  relationship,
  guildSettings,
} from '../support/members-of-objects.ts'
import { ownRows, type Row } from '../support/own-rows.ts'
import { reacts } from '../support/reacts.ts'
import { followPresence, presencesTold } from '../support/presences.ts'

/** Every dispatch that follows from an event: its members, and who hears of it. */
let crowd: Crowd
beforeEach(async () => void (crowd = await openCrowd()))
afterEach(async () => {
  expect(crowd.stage.errors).toStrictEqual([])
  await crowd.stage.end()
})

const of = (type: string, data: () => object) => () => crowd.happens(type, data())
const ofThread = (type: string, data: () => object) => () => crowd.happensInThread(type, data())
const elsewhere = (type: string, data: object) => crowd.stage.happen({ type, data } as DomainEvent)
const ofAccount = (type: string, data: () => object) => () =>
  elsewhere(type, { accountId: crowd.ids.subject, ...data() })
const ofGroup = (type: string, names: readonly Name[]) => () => {
  const { ids, newChannelId } = crowd
  const recipients = names.map((name) => ids[name])
  elsewhere(type, { channelId: newChannelId(), recipients, ownerId: ids.subject, accountId: ids.owner })
}
const between = (type: string, data: object) => () => {
  const both = { accountId: crowd.ids.subject, otherId: crowd.ids.stranger }
  elsewhere(type, { ...both, removedFrom: Object.values(both), ...data })
}
const joins = () => crowd.stage.happen(joined(crowd.home.id, crowd.ids.stranger))
const isKicked = of('MemberKicked', () => ({ accountId: crowd.ids.subject, kickedAt: sometime }))
const plainBan = { wasMember: false, reason: null, bannedAt: sometime, expiresAt: null, ...bareBan }
const ban = () => ({ ...plainBan, accountId: crowd.ids.stranger, moderatorId: crowd.ids.owner })
const noTexts = { textsBefore: null, textsAfter: null, timeoutReason: null }
const muted = (name: Name) =>
  of('MemberChanged', () => ({ accountId: crowd.ids[name], before: {}, after: { mute: true }, ...noTexts }))
const roleRenamed = of('RoleChanged', () => ({ roleId: crowd.role, before: { name: 'role' }, after: { name: 'Crew' } }))
const roleMoved = () => ({
  roles: [{ roleId: crowd.role, moved: true, before: { position: 1 }, after: { position: 2 } }],
})
const theRole = () => {
  const found = crowd.stage.models.guilds.get(crowd.home.id)
  return { role: found?.status === 'active' ? found.roles.find(({ id }) => id === crowd.role) : undefined }
}
const invited = (type: string) => () => {
  const { stage, home, hidden, ids } = crowd
  crowd.happens(type, { ...stage.invite(home, home.owner, { channelId: hidden.id }), uses: 0, deletedBy: ids.owner })
}
const says = (more: object = {}) => crowd.chat.post(crowd.home.owner, more)
/** Dispatches that only answer their session, or have their own tests. */
type TestedElsewhere =
  | ('READY' | 'RESUMED' | 'GUILD_SYNC' | 'GUILD_MEMBERS_CHUNK' | 'GUILD_COUNTS_UPDATE' | 'RATE_LIMITED')
  | ('CHANNEL_MEMBER_COUNTS_UPDATE' | 'AUTH_SESSION_CHANGE' | 'SESSIONS_REPLACE' | 'MESSAGE_REACTION_ADD_MANY')
  | 'GUILD_MEMBER_LIST_UPDATE'

/** A dispatch that is in neither list does not compile. */
const table: Readonly<Record<Exclude<DispatchName, TestedElsewhere>, readonly Row[]>> = {
  AUTH_SECURITY_NOTICE: [
    [ofAccount('RecoveryKitCreated', () => ({})), ['subject'], 'at credential_id key_id kind session_id_hash'],
  ],
  GUILD_CREATE: [[joins, ['stranger'], readyGuild]],
  GUILD_MEMBER_ADD: [[joins, active, member]],
  GUILD_UPDATE: [[of('GuildSettingsChanged', () => ({ settings: {} })), inGuild, guildObject]],
  GUILD_DELETE: [
    [of('GuildDeleted', () => ({ ownerId: crowd.ids.owner, channelIds: [] })), inGuild, 'guild_id id'],
    [isKicked, ['subject'], 'id'],
  ],
  GUILD_MEMBER_UPDATE: [
    [muted('subject'), active, member],
    [muted('passive'), inGuild, member],
    [() => elsewhere('TagChanged', { accountId: crowd.newMember() }), active, member],
  ],
  GUILD_MEMBER_REMOVE: [[isKicked, without(active, 'subject'), 'guild_id user']],
  GUILD_BAN_ADD: [[of('MemberBanned', ban), active, 'guild_id user']],
  GUILD_BAN_REMOVE: [[of('MemberUnbanned', ban), active, 'guild_id user']],
  GUILD_AUDIT_LOG_ENTRY_CREATE: [
    [roleRenamed, ['owner', 'moderator', 'passive'], 'action_type changes guild_id id target_id user_id'],
  ],
  GUILD_ROLE_CREATE: [[() => crowd.stage.role(crowd.home), active, 'guild_id role']],
  GUILD_ROLE_UPDATE: [[roleRenamed, inGuild, 'guild_id role']],
  GUILD_ROLE_UPDATE_BULK: [[of('RolesReordered', roleMoved), inGuild, 'guild_id roles']],
  GUILD_ROLE_DELETE: [[of('RoleDeleted', theRole), active, 'guild_id role_id']],
  GUILD_EMOJIS_UPDATE: [[of('EmojisCreated', () => ({ emojis: [] })), active, 'emojis guild_id']],
  GUILD_STICKERS_UPDATE: [[of('StickersCreated', () => ({ stickers: [] })), active, 'guild_id stickers']],
  CHANNEL_CREATE: [
    [() => crowd.makeChannel(), without(inGuild, 'unsighted'), channel],
    [
      of('DirectChannelOpened', () => ({
        channelId: crowd.newChannelId(),
        accountId: crowd.ids.subject,
        otherId: crowd.ids.stranger,
        openedAt: start,
      })),
      ['subject'],
      'id last_message_id last_pin_timestamp recipients type',
    ],
    [
      ofGroup('GroupCreated', ['subject', 'owner', 'stranger']),
      ['owner', 'subject', 'stranger'],
      'icon id last_message_id last_pin_timestamp owner_id recipients type',
    ],
  ],
  CHANNEL_UPDATE: [
    [
      of('ChannelChanged', () => ({ channelId: crowd.hidden.id, channelType: 0, before: {}, after: {} })),
      without(inGuild, 'unsighted'),
      channel,
    ],
  ],
  CHANNEL_UPDATE_BULK: [[of('ChannelNamesNormalised', () => ({ names: [] })), inGuild, 'channels guild_id']],
  CHANNEL_DELETE: [
    [of('ChannelDeleted', () => ({ channel: crowd.hidden, orphans: [] })), without(inGuild, 'unsighted'), channel],
    [
      () => deny(crowd.stage, crowd.home, crowd.hidden.id, 'VIEW_CHANNEL'),
      without(inGuild, 'owner', 'unsighted'),
      'guild_id id',
    ],
  ],
  ...ownRows(() => crowd),
  CHANNEL_PINS_UPDATE: [[() => crowd.pins(), sighted, 'channel_id guild_id last_pin_timestamp']],
  CHANNEL_RECIPIENT_ADD: [[ofGroup('GroupRecipientAdded', ['subject', 'owner']), ['subject'], 'channel_id user']],
  CHANNEL_RECIPIENT_REMOVE: [[ofGroup('GroupRecipientRemoved', ['subject']), ['subject'], 'channel_id user']],
  INVITE_CREATE: [
    [
      invited('InviteCreated'),
      ['owner', 'moderator'],
      'channel channel_id code created_at expires_at guild guild_id inviter max_age max_uses member_count presence_count temporary type uses',
    ],
  ],
  INVITE_DELETE: [[invited('InviteDeleted'), ['owner', 'moderator'], 'channel_id code guild_id']],
  MESSAGE_CREATE: [
    [() => says(), sighted, `${message} channel_type`],
    [() => says({ mentionRoles: [crowd.role] }), without(inGuild, 'unsighted'), `${message} channel_type`],
  ],
  MESSAGE_UPDATE: [[() => crowd.chat.edit(crowd.message, { content: 'changed' }), sighted, message]],
  MESSAGE_DELETE: [[() => crowd.chat.remove([crowd.message]), sighted, 'author_id channel_id guild_id id']],
  MESSAGE_DELETE_BULK: [[() => crowd.chat.remove([crowd.message], true), sighted, 'channel_id guild_id ids']],
  MESSAGE_REACTION_ADD: [
    [() => reacts(crowd, 'add'), sighted, reaction],
    [() => reacts(crowd, 'add', crowd.clients.owner.sessionId), without(sighted, 'owner'), reaction],
    [async () => reacts(crowd, 'add', null, await says({ type: messageTypes.threadCreated })), aware, reaction],
  ],
  MESSAGE_REACTION_REMOVE: [
    [() => reacts(crowd, 'remove'), sighted, reaction],
    [() => reacts(crowd, 'remove', crowd.clients.bot.sessionId), without(sighted, 'bot'), reaction],
  ],
  MESSAGE_REACTION_REMOVE_EMOJI: [
    [() => reacts(crowd, 'remove_emoji'), sighted, 'channel_id emoji guild_id message_id'],
  ],
  MESSAGE_REACTION_REMOVE_ALL: [[() => reacts(crowd, 'remove_all'), sighted, 'channel_id guild_id message_id']],
  PASSIVE_UPDATES: [
    [
      async () => {
        await says()
        await crowd.clients.owner.dispatch('MESSAGE_CREATE')
        crowd.stage.clock.advance(passiveUpdates_ms)
      },
      ['passive'],
      'channels guild_id',
    ],
  ],
  PRESENCE_UPDATE: [
    [
      async () => {
        await followPresence(crowd, crowd.square, 'stranger')
        crowd.clients.stranger.send(3, { status: 'dnd' })
        await crowd.heard()
        await presencesTold(crowd)
      },
      ['owner', 'bot'],
      'afk custom_status guild_id mobile status user',
    ],
  ],
  PRESENCE_UPDATE_BULK: [
    [
      async () => {
        await followPresence(crowd, crowd.home, 'subject')
        crowd.happens('GuildFeaturesChanged', { features: ['UNAVAILABLE_FOR_EVERYONE'] })
        crowd.happens('GuildFeaturesChanged', { features: [] })
        await crowd.heard()
        await presencesTold(crowd)
      },
      ['owner', 'bot'],
      'guild_id presences',
    ],
  ],
  RELATIONSHIP_ADD: [
    [between('FriendshipRequested', { requestedAt: start, shown: true }), ['subject', 'stranger'], relationship],
    [between('AccountBlocked', { blockedAt: start, removedFromOther: false }), ['subject'], relationship],
  ],
  RELATIONSHIP_UPDATE: [
    [between('FriendNicknameChanged', { nickname: 'Pal', since: start }), ['subject'], relationship],
  ],
  RELATIONSHIP_REMOVE: [[between('RelationshipRemoved', {}), ['subject', 'stranger'], 'id']],
  THREAD_CREATE: [
    [ofThread('ThreadStarted', () => ({})), without(aware, 'owner'), thread],
    [ofThread('ThreadMemberAdded', () => ({ accountId: crowd.ids.owner, member: threadMember })), ['owner'], thread],
    [
      ofThread('ThreadMemberAdded', () => ({ accountId: crowd.ids.subject, member: threadMember })),
      ['subject'],
      `${thread} member`,
    ],
  ],
  THREAD_UPDATE: [
    [
      ofThread('ThreadChanged', () => ({ before: {}, after: {}, because: 'asked', changedAt: start })),
      aware,
      `${thread} member`,
    ],
  ],
  THREAD_DELETE: [
    [
      ofThread('ThreadDeleted', () => ({ because: 'asked', memberIds: [], settings: { appliedTags: [] } })),
      aware,
      'guild_id id parent_id type',
    ],
  ],
  THREAD_MEMBERS_UPDATE: [
    [
      ofThread('ThreadMemberAdded', () => ({ accountId: crowd.ids.passive, member: threadMember })),
      [...aware, 'passive'],
      'added_members guild_id id member_count',
    ],
    [
      ofThread('ThreadMemberRemoved', () => ({ accountId: crowd.ids.unsighted, removedBy: null })),
      [...aware, 'unsighted'],
      'guild_id id member_count removed_member_ids',
    ],
  ],
  THREAD_MEMBER_UPDATE: [
    [
      ofThread('ThreadMemberSettingsChanged', () => ({ accountId: crowd.ids.subject, changes: {} })),
      ['subject'],
      'flags guild_id id join_timestamp mute_config muted user_id',
    ],
  ],
  TYPING_START: [
    [() => crowd.types(), sighted, 'channel_id guild_id member timestamp user_id'],
    [() => crowd.types('in a thread'), aware, 'channel_id guild_id member timestamp user_id'],
  ],
  USER_UPDATE: [[ofAccount('AclsGranted', () => ({ acls: [] })), ['subject'], '']],
  USER_SETTINGS_UPDATE: [
    [ofAccount('UserSettingsChanged', () => ({ changes: { afkTimeout: 60 } })), ['subject'], ''],
    [isKicked, ['subject'], ''],
  ],
  USER_GUILD_SETTINGS_UPDATE: [
    [
      ofAccount('UserGuildSettingsChanged', () => ({ forGuild: crowd.home.id, changes: { muted: true } })),
      ['subject'],
      guildSettings,
    ],
  ],
  WEBAUTHN_CREDENTIALS_UPDATE: [
    [ofAccount('WebAuthnCredentialRemoved', () => ({ credentialId: 'x' })), ['subject'], ''],
  ],
  WEBHOOKS_UPDATE: ['WebhookCreated', 'WebhookChanged', 'WebhookDeleted'].map((type) => [
    of(type, () => ({ channelId: crowd.hidden.id, before: {}, after: {}, kind: 1 })),
    sighted,
    'channel_id guild_id',
  ]),
}

const rows = (Object.entries(table) as [keyof typeof table, readonly Row[]][]).flatMap(([t, cases]) =>
  cases.map(([happens, heardBy, members], index) => ({ t, number: index + 1, happens, heardBy, members })),
)

describe('a dispatch has its members and reaches whom it concerns', () => {
  it.each(rows)('$t ($number)', async ({ t, happens, heardBy, members }) => {
    await crowd.heard()
    await happens()
    const came = await crowd.heard()
    const told = everybody.flatMap((name) =>
      came[name].filter((payload) => payload.t === t).map(({ d }) => ({ name, d })),
    )
    expect(told.map(({ name }) => name)).toStrictEqual(everybody.filter((name) => heardBy.includes(name)))
    const { d } = told.find(({ name }) => name === 'subject') ?? told.find(({ name }) => name !== 'plain') ?? {}
    for (const each of told) expect(dispatchCatalogue[t].d.parse(each.d)).toStrictEqual(each.d)
    if (members !== '') expect(Object.keys(d ?? {}).toSorted()).toStrictEqual(members.split(' ').toSorted())
  })
})
