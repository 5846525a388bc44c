import type { GuildCreated } from '../../domain/guild/events.js'
import { joinGuild } from '../communities/admission/join-guild.js'
import { countedAmongGuilds } from '../communities/admission/member-room.js'
import type { CommandContext } from '../commands/command-context.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'room'>

/** Finishes the creation of a guild: its owner becomes a member. The limit on guilds was checked at the creation. */
export async function finishFounding(
  ports: Needs,
  { guildId, ownerId }: Pick<GuildCreated, 'guildId' | 'ownerId'>,
  context: CommandContext,
): Promise<void> {
  const founding = { guildId, accountId: ownerId, temporary: false, admission: { by: 'founding' } } as const
  await countedAmongGuilds(ports, ownerId, async () => {
    await joinGuild(ports, founding, context)
    await ports.readModels.reached(context.written)
  })
}
