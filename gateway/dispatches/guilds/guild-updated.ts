import { isUnavailable, type Guild } from '../../../domain/guild/state.ts'
import { guildObject } from '../../../application/wire-objects/communities/guild-objects.ts'
import { unavailableGuildObject } from '../../../application/wire-objects/communities/guild-ready-object.ts'
import { isStaff } from '../../../application/wire-objects/identity/user-objects.ts'
import type { Known } from '../../visibility/known-event.ts'
import type { Link } from '../../visibility/room.ts'
import { freshTallies } from '../channels/thread-sight.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { preparing, telling, type Scene, type Telling } from '../telling.ts'
import { guildCreates } from './guild-create.ts'

/** The guild changed: GUILD_UPDATE with its full current state. */
export const guildSettingsChanged: Telling = telling(['GUILD_UPDATE'], ({ room }) =>
  room ? [guildUpdate(room.guild)] : [],
)

/**
 * The guild's features changed: GUILD_UPDATE; then GUILD_DELETE to sessions that can no longer reach the guild, and
 * GUILD_CREATE to those that can again. When the guild is back for everybody, all sessions get it: staff that could
 * reach it all the time missed its dispatches too.
 */
export function guildFeaturesChanged(event: Known<'GuildFeaturesChanged'>): Telling {
  return preparing(['GUILD_UPDATE', 'GUILD_DELETE', 'GUILD_CREATE'], {
    prepare: async ({ lookups, world }) => {
      const renewTallies = await freshTallies(lookups, world.room(event.data.guildId)?.links)
      return (scene) => {
        renewTallies(scene)
        return featuresTold(event, scene)
      }
    },
  })
}

type FeaturesTold = 'GUILD_UPDATE' | 'GUILD_DELETE' | 'GUILD_CREATE'

function featuresTold({ position }: Known<'GuildFeaturesChanged'>, scene: Scene): readonly Dispatch<FeaturesTold>[] {
  const { room, was } = scene
  if (!room || !was) return []
  const links = [...room.links].filter(({ since }) => since < position)
  const lost = links.filter((link) => !isClosedTo(link, was) && isClosedTo(link, room.guild))
  const isBack = isUnavailable(was, false) && !isUnavailable(room.guild, false)
  const regained = links.filter((link) => (isBack || isClosedTo(link, was)) && !isClosedTo(link, room.guild))
  return [guildUpdate(room.guild), ...unavailable(lost, room.guild), ...guildCreates(regained, scene)]
}

function guildUpdate(guild: Guild): Dispatch<'GUILD_UPDATE'> {
  return {
    t: 'GUILD_UPDATE',
    guildId: guild.id,
    audience: { kind: 'guild' },
    body: same({ ...guildObject(guild), guild_id: guild.id }),
  }
}

function unavailable(links: readonly Link[], guild: Guild): readonly Dispatch<'GUILD_DELETE'>[] {
  const sessions = links.map(({ session }) => session)
  return [
    {
      t: 'GUILD_DELETE',
      guildId: guild.id,
      audience: { kind: 'sessions', sessions },
      body: same(unavailableGuildObject(guild)),
    },
  ]
}

function isClosedTo({ session }: Link, guild: Guild): boolean {
  return isUnavailable(guild, isStaff(session.account))
}
