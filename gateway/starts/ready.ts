import { isUnavailable } from '../../domain/guild/state.ts'
import {
  guildInReadyObject,
  guildReadyObject,
  unavailableGuildObject,
} from '../../application/wire-objects/communities/guild-ready-object.ts'
import { deletedAccount } from '../../application/wire-objects/identity/deleted-account.ts'
import { passkeyObject } from '../../application/wire-objects/identity/passkey-object.ts'
import type { PresenceObject } from '../../application/wire-objects/identity/presence-object.ts'
import { privateChannelObject } from '../../application/wire-objects/conversations/private-channel-objects.ts'
import type { ReadStateObject } from '../../application/wire-objects/conversations/read-state-objects.ts'
import { relationshipObject } from '../../application/wire-objects/conversations/relationship-objects.ts'
import { isStaff, partialUserObject, privateUserObject } from '../../application/wire-objects/identity/user-objects.ts'
import { userGuildSettingsObject } from '../../application/wire-objects/identity/user-guild-settings-object.ts'
import { userSettingsObject } from '../../application/wire-objects/identity/user-settings-object.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import type { PrivateChannel } from '../../application/ports/queries/private-channel-queries.ts'
import type { Relationship } from '../../application/ports/queries/relationship-queries.ts'
import type { LastMessages } from '../../application/wire-objects/communities/channel-objects.ts'
import type { PasskeyRecord } from '../../application/ports/queries/passkey-queries.ts'
import type { UserGuildSettingsRecord } from '../../application/ports/queries/user-settings-queries.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { guildReadyParts, laterGuild } from '../dispatches/guilds/guild-create.ts'
import { dispatchFrame } from '../protocol/frame.ts'
import { isOnShard, type Identify } from '../protocol/identify.ts'
import { guildBytes } from '../visibility/guild-size.ts'
import type { Link } from '../visibility/room.ts'
import type { Session } from '../sessions/session.ts'

/** What a session starts with. */
export interface Beginning {
  readonly session: Session
  readonly identify: Identify
  readonly passkeys: readonly PasskeyRecord[]
  readonly guildSettings: readonly UserGuildSettingsRecord[]
  readonly relationships: readonly Relationship[]
  /** The account's open channels. */
  readonly privateChannels: readonly PrivateChannel[]
  readonly lastMessages: LastMessages
  readonly readStates: readonly ReadStateObject[]
  /** What the account notes about accounts. */
  readonly notes: ReadonlyMap<AccountId, string>
  /** The other accounts in relationships and private channels, without repeats. */
  readonly others: readonly AccountRecord[]
  /** The presences of followed accounts that are not offline. */
  readonly presences: readonly PresenceObject[]
  /** The account's guilds, last joined first. */
  readonly links: readonly Link[]
  /** The account's sessions at all Gateways, including this one (`sessionList`). */
  readonly sessions: readonly object[]
  readonly onlineCount: (guild: GuildId) => number
  /** Guilds with a larger total size follow READY one by one. */
  readonly readyGuilds_bytes_max: number
  readonly now: Timestamp
  /** Where clients resume their sessions; undefined if READY does not say so. */
  readonly gatewayUrl: string | undefined
}

/** The guilds in READY, and whether they follow it separately. */
interface Guilds {
  readonly links: readonly Link[]
  readonly comeLater: boolean
}

/**
 * Sends READY and, for a bot, its guilds one by one. If a user's guilds are large together, they follow too, and READY
 * has their unavailable form (decision 51). Nothing of this is ever replayed.
 */
export function sendReady(beginning: Beginning): void {
  const { session, identify } = beginning
  const guilds = guildsIn(beginning)
  session.answer('READY', dispatchFrame('READY', readyObject(beginning, guilds)))
  const { links, comeLater } = guilds
  if (!session.account.bot && !comeLater) return
  // The guild that the client shows first comes first.
  const first = links.filter(({ room }) => room.id === identify.initialGuildId)
  for (const link of new Set([...first, ...links])) sendGuild(link, comeLater, beginning)
}

function guildsIn({ session, links: all, readyGuilds_bytes_max }: Beginning): Guilds {
  const links = all.filter(({ room }) => isOnShard(session.shard, room.id))
  const open = links.filter((link) => !isClosedTo(session, link))
  const guilds_bytes = open.reduce((sum, link) => sum + guildBytes(link), 0)
  return { links, comeLater: guilds_bytes > readyGuilds_bytes_max }
}

function sendGuild(link: Link, comesLater: boolean, { session, onlineCount, now, lastMessages }: Beginning): void {
  const { guild } = link.room
  if (isClosedTo(session, link)) {
    // For a user, READY already says so.
    if (session.account.bot)
      session.answer('GUILD_DELETE', dispatchFrame('GUILD_DELETE', unavailableGuildObject(guild)))
  } else if (comesLater) {
    session.answerWithGuild(laterGuild('GUILD_CREATE', link, onlineCount(guild.id), now, lastMessages))
  } else {
    const parts = guildReadyParts(link, session, onlineCount(guild.id), now, lastMessages)
    session.answer('GUILD_CREATE', dispatchFrame('GUILD_CREATE', guildReadyObject(parts, session)))
  }
}

/** A bot has the id of its application, and applications have no flags. */
function applicationOf({ id }: AccountRecord) {
  return { id, flags: 0 } as const
}

/** The `d` of READY. Parts that are not implemented yet have their empty form. */
function readyObject(beginning: Beginning, { links, comeLater }: Guilds) {
  const { session, identify, passkeys, others, notes, presences, readStates, sessions, now, gatewayUrl } = beginning
  const { account } = session
  const guilds = account.bot ? [] : links
  return {
    session_id: session.id,
    version: 1,
    user: privateUserObject(account, now),
    guilds: guilds.map((link) => guildObjectFor(link, comeLater, beginning)),
    private_channels: privateChannelsIn(beginning),
    relationships: relationshipsIn(beginning),
    presences,
    users: account.bot ? [] : [...(guilds.length === 0 ? [] : [account]), ...others].map(partialUserObject),
    sessions,
    read_states: readStates.filter(({ flags }) => flags === undefined || session.threadAccess),
    ...settingsOf(beginning),
    notes: Object.fromEntries(notes),
    pinned_dms: [],
    favorite_memes: [],
    webauthn_credentials: passkeys.map(passkeyObject),
    rtc_regions: [automaticRegion],
    country_code: 'US',
    ...identify.coordinates,
    ...(account.bot ? { application: applicationOf(account) } : { auth_session_id_hash: session.tokenHash }),
    ...(session.shard ? { shard: session.shard } : {}),
    ...(gatewayUrl === undefined ? {} : { resume_gateway_url: gatewayUrl }),
  }
}

function privateChannelsIn({ session, privateChannels, lastMessages, others }: Beginning) {
  const records = new Map([session.account, ...others].map((record) => [record.id, record]))
  const account = (id: AccountId): AccountRecord => records.get(id) ?? deletedAccount(id)
  return privateChannels.map((channel) =>
    privateChannelObject({ channel, account, last: lastMessages.get(channel.id) }, session.accountId),
  )
}

/** The account's relationships, without users. */
function relationshipsIn({ session: { account }, relationships, others }: Beginning) {
  const records = new Map([account, ...others].map((record) => [record.id, record]))
  return relationships.map((relationship) =>
    relationshipObject(relationship, account, records.get(relationship.otherId)),
  )
}

/** The settings of a person; a bot has none. */
function settingsOf({ session, guildSettings, links, now }: Beginning) {
  const { account, settings } = session
  if (account.bot) return { user_settings: null, user_guild_settings: [] }
  const stays = links.map(({ member }) => member)
  return {
    user_settings: userSettingsObject({ account, chosen: settings, stays }, now),
    user_guild_settings: guildSettings.map(userGuildSettingsObject),
  }
}

/** The region for automatic choice; there is no other while voice is not implemented. */
const automaticRegion = { id: 'automatic', name: 'Automatic', emoji: '🌐' }

function guildObjectFor(link: Link, comesLater: boolean, { session, onlineCount, now, lastMessages }: Beginning) {
  const { guild } = link.room
  if (isClosedTo(session, link)) return unavailableGuildObject(guild)
  if (comesLater) return { id: guild.id, unavailable: true } as const
  return guildInReadyObject(guildReadyParts(link, session, onlineCount(guild.id), now, lastMessages), session)
}

function isClosedTo({ account }: Session, { room }: Link): boolean {
  return isUnavailable(room.guild, isStaff(account))
}
