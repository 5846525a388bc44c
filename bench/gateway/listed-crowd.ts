import { channelTypes } from '../../domain/guild/channel.ts'
import { everyoneRole, plainChannel } from '../../domain/guild/layout.ts'
import { initialSettings, type Guild } from '../../domain/guild/state.ts'
import { noExpressions } from '../../domain/guild-expressions/state.ts'
import { accountId, channelId, guildId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { memberAtFirst } from '../../domain/membership/membership.ts'
import { newGuildEveryonePermissions } from '../../domain/permissions/permission-bits.ts'
import { deletedAccount } from '../../application/wire-objects/identity/deleted-account.ts'
import { gatewayLimits } from '../../gateway/limits.ts'
import { readIdentify } from '../../gateway/protocol/identify.ts'
import { ReplayMemory } from '../../gateway/sessions/replay-memory.ts'
import { Session } from '../../gateway/sessions/session.ts'
import { newLink, Room, type Link } from '../../gateway/visibility/room.ts'

/** A member as a list needs it. */
export interface Listed {
  readonly accountId: AccountId
  readonly roles: readonly []
  readonly nick: null
  readonly accountName: string
}

export const home = guildId(snowflake('1'))
export const talk = channelId(snowflake('2'))
const now = timestamp(Date.UTC(2026, 10, 30))

/** This many members, whose names are in no order. */
export function listedMembers(members_count: number): readonly Listed[] {
  return Array.from({ length: members_count }, (_, index) => ({
    accountId: accountId(snowflake(String(1_000_000 + index))),
    roles: [],
    nick: null,
    accountName: `member ${((index * 7919) % members_count).toString(36)} ${index}`,
  }))
}

/** A guild of one channel, which all members see. */
export function crowdedRoom(members_count: number): Room {
  const guild: Guild = {
    id: home,
    name: 'Large',
    ownerId: accountId(snowflake('3')),
    features: [],
    settings: initialSettings,
    createdAt: now,
    roles: [everyoneRole(home, newGuildEveryonePermissions.toString())],
    channels: [{ ...plainChannel, id: talk, type: channelTypes.text, name: 'talk', position: 0 }],
  }
  return new Room(guild, noExpressions, members_count, 1n)
}

/** Sessions in the guild, whose transport counts the bytes that it is given. */
export function crowdedLinks(room: Room, links_count: number, onBytes: (bytes: number) => void): readonly Link[] {
  const identify = readIdentify({ token: '', properties: { os: '', browser: '', device: '' } })
  if (!identify.ok) throw new Error('the Identify is not valid')
  const replays = new ReplayMemory(gatewayLimits)
  const nothing = (): void => undefined
  return Array.from({ length: links_count }, (_, index): Link => {
    const account = { ...deletedAccount(accountId(snowflake(String(10 + index)))) }
    const origin = {
      id: String(index),
      tokenHash: '',
      account,
      settings: {},
      identify: identify.value,
      position: 1n,
      now,
    }
    const session = new Session(origin, gatewayLimits, replays)
    session.wire = {
      address: '',
      isBehind: false,
      dispatch: (frame) => {
        onBytes('bytes' in frame ? frame.bytes.length : 0)
      },
      invalidate: nothing,
      displace: nothing,
    }
    const admission = { by: 'custom_invite' } as const
    const member = memberAtFirst({ guildId: home, accountId: account.id, joinedAt: now, temporary: false, admission })
    const link = newLink(session, room, { member, memberAt: 1n, since: 1n })
    link.active = true
    room.add(link)
    return link
  })
}
