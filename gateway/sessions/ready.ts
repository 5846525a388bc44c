import { isUnavailable } from '../../domain/guild/state.js'
import {
  guildInReadyObject,
  guildReadyObject,
  unavailableGuildObject,
} from '../../application/objects/guild-ready-object.js'
import { passkeyObject } from '../../application/objects/passkey-object.js'
import { isStaff, partialUserObject, privateUserObject } from '../../application/objects/user-objects.js'
import { userGuildSettingsObject } from '../../application/objects/user-guild-settings-object.js'
import { userSettingsObject } from '../../application/objects/user-settings-object.js'
import type { PasskeyRecord } from '../../application/ports/queries/passkey-queries.js'
import type { UserGuildSettingsRecord } from '../../application/ports/queries/user-settings-queries.js'
import type { GuildId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import { guildReadyParts } from '../dispatches/guild-create.js'
import { dispatchFrame } from '../protocol/frame.js'
import { isOnShard, type Identify } from '../protocol/identify.js'
import type { Link } from '../visibility/room.js'
import type { Session } from './session.js'

/** What a session begins with. */
export interface Beginning {
  readonly session: Session
  readonly identify: Identify
  readonly passkeys: readonly PasskeyRecord[]
  readonly guildSettings: readonly UserGuildSettingsRecord[]
  /** The account's guilds, joined last first. */
  readonly links: readonly Link[]
  /** The account's sessions, this one among them, at whichever Gateway (`sessionList`). */
  readonly sessions: readonly object[]
  readonly onlineCount: (guild: GuildId) => number
  readonly now: Timestamp
}

/** Sends READY, and to a bot its guilds one by one after it (reference gateway 1.17). None of it is ever replayed. */
export function sendReady(beginning: Beginning): void {
  const { session, links } = beginning
  session.answer('READY', dispatchFrame('READY', readyObject(beginning)))
  if (!session.account.bot) return
  for (const link of links) if (isOnShard(session.shard, link.room.id)) sendGuild(link, beginning)
}

function sendGuild(link: Link, { session, onlineCount }: Beginning): void {
  const { guild } = link.room
  if (isClosedTo(session, link)) {
    session.answer('GUILD_DELETE', dispatchFrame('GUILD_DELETE', unavailableGuildObject(guild)))
  } else {
    const parts = guildReadyParts(link, session, onlineCount(guild.id))
    session.answer('GUILD_CREATE', dispatchFrame('GUILD_CREATE', guildReadyObject(parts, session)))
  }
}

/** READY's `d`. What belongs to parts that are not built yet has its empty form. */
function readyObject(beginning: Beginning) {
  const { session, identify, passkeys, links, sessions, onlineCount, now } = beginning
  const { account } = session
  const guilds = account.bot ? [] : links.filter(({ room }) => isOnShard(session.shard, room.id))
  return {
    session_id: session.id,
    version: 1,
    user: privateUserObject(account, now),
    guilds: guilds.map((link) => guildObjectFor(link, session, onlineCount)),
    private_channels: [],
    relationships: [],
    presences: [],
    users: guilds.length === 0 ? [] : [partialUserObject(account)],
    sessions,
    read_states: [],
    ...settingsOf(beginning),
    notes: {},
    pinned_dms: [],
    favorite_memes: [],
    webauthn_credentials: passkeys.map(passkeyObject),
    rtc_regions: [automaticRegion],
    country_code: 'US',
    ...identify.place,
    ...(account.bot ? {} : { auth_session_id_hash: session.tokenHash }),
    ...(session.shard ? { shard: session.shard } : {}),
  }
}

/** What a person has chosen; a bot chooses nothing. */
function settingsOf({ session, guildSettings, links, now }: Beginning) {
  const { account, settings } = session
  if (account.bot) return { user_settings: null, user_guild_settings: [] }
  const stays = links.map(({ member }) => member)
  return {
    user_settings: userSettingsObject({ account, chosen: settings, stays }, now),
    user_guild_settings: guildSettings.map(userGuildSettingsObject),
  }
}

/** The region that stands for letting the service choose; there is no other while voice is not built. */
const automaticRegion = { id: 'automatic', name: 'Automatic', emoji: '🌐' }

function guildObjectFor(link: Link, session: Session, onlineCount: Beginning['onlineCount']) {
  const { guild } = link.room
  if (isClosedTo(session, link)) return unavailableGuildObject(guild)
  return guildInReadyObject(guildReadyParts(link, session, onlineCount(guild.id)), session)
}

function isClosedTo({ account }: Session, { room }: Link): boolean {
  return isUnavailable(room.guild, isStaff(account))
}
