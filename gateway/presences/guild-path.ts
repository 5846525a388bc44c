import { isUnavailable } from '../../domain/guild/state.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Membership } from '../../domain/membership/state.ts'
import type { PresenceObject } from '../../application/wire-objects/identity/presence-object.ts'
import { isPassive } from '../dispatches/deliver.ts'
import { dispatchFrame, type Frame } from '../protocol/frame.ts'
import { isOnShard } from '../protocol/identify.ts'
import { alwaysActiveMembers_max, type Link } from '../visibility/room.ts'
import type { World } from '../visibility/world.ts'
import type { PresenceWatch } from './presence-watch.ts'
import { sharedSight } from './shared-sight.ts'

/** The memberships of accounts without sessions here, from the read models. */
export type Strangers = ReadonlyMap<AccountId, ReadonlyMap<GuildId, Membership>>

export interface GuildPathSettings {
  readonly watch: PresenceWatch
  readonly world: Pick<World, 'memberHere' | 'room' | 'sessionsOf'>
}

/** How one update's presences reach the guilds of an account. */
export interface GuildPath {
  /** The sessions that asked for the account, and the bots of its guilds, which need not ask. */
  followersOf(account: AccountId): readonly Link[]
  /** The gates of every dispatch: availability, a channel that both can view, passive state, and the shard. */
  mayHear(link: Link, account: AccountId): boolean
  tell(link: Link, presence: PresenceObject): void
  /** Sends the bulk dispatches. Gives their number. */
  end(): number
}

/** The maximum number of presences in one PRESENCE_UPDATE_BULK. */
const presencesPerBulk_max = 500

export function guildPath({ watch, world }: GuildPathSettings, strangers: Strangers): GuildPath {
  const shareSight = sharedSight()
  const bulks = new Map<Link, object[]>()
  const frameOf = framesPerGuild()
  const memberIn = (guildId: GuildId, accountId: AccountId): Membership | undefined => {
    const here = world.memberHere({ guildId, accountId })
    return here ?? (watch.hasLeft(guildId, accountId) ? undefined : strangers.get(accountId)?.get(guildId))
  }
  return {
    followersOf(account) {
      const isHere = world.sessionsOf(account).length > 0
      const guilds = isHere ? [] : [...(strangers.get(account)?.keys() ?? [])]
      const rooms = isHere ? [...watch.guildsWithBots(account)] : guilds.flatMap((guild) => world.room(guild) ?? [])
      const bots = rooms.flatMap((room) => [...room.bots])
      return [...watch.subscriptions.followersOf(account), ...bots]
    },
    mayHear(link, account) {
      const { room, session, member } = link
      if (session.accountId === account || isUnavailable(room.guild, false)) return false
      const subject = memberIn(room.id, account)
      if (!subject || !shareSight(room, member, subject)) return false
      if (room.memberCount > alwaysActiveMembers_max && isPassive(link)) return false
      return isOnShard(session.shard, room.id)
    },
    tell(link, presence) {
      const { session, room } = link
      if (watch.recovering.has(link)) {
        const bulk = bulks.get(link) ?? []
        bulks.set(link, bulk)
        bulk.push({ ...presence, guild_id: room.id })
      } else session.dispatch('PRESENCE_UPDATE', frameOf(presence, room.id))
    },
    end() {
      let count = 0
      for (const [{ session, room }, presences] of bulks) {
        for (let from = 0; from < presences.length; from += presencesPerBulk_max) {
          const bulk = { guild_id: room.id, presences: presences.slice(from, from + presencesPerBulk_max) }
          session.dispatch('PRESENCE_UPDATE_BULK', dispatchFrame('PRESENCE_UPDATE_BULK', bulk))
          count += 1
        }
      }
      return count
    },
  }
}

/** Encodes each presence once per guild. */
function framesPerGuild(): (presence: PresenceObject, guild: GuildId) => Frame {
  const frames = new Map<PresenceObject, Map<GuildId, Frame>>()
  return (presence, guild) => {
    const known = frames.get(presence) ?? new Map<GuildId, Frame>()
    frames.set(presence, known)
    const frame = known.get(guild) ?? dispatchFrame('PRESENCE_UPDATE', { ...presence, guild_id: guild })
    known.set(guild, frame)
    return frame
  }
}
