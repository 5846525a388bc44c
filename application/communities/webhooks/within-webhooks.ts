import type { Guild } from '../../../domain/guild/state.ts'
import type { ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { Counted } from '../../ports/reservations.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'limits' | 'queries' | 'reservations'>

/**
 * Runs an act that creates one more webhook, if its guild and its channel may have one more: else 400 MAX_WEBHOOKS_PER_GUILD, then
 * MAX_WEBHOOKS_PER_CHANNEL. The act resolves once the read models hold what it wrote.
 */
export async function withinWebhooks<Result>(
  ports: Needs,
  guild: Guild,
  channelId: ChannelId,
  act: () => Promise<Result>,
): Promise<Result> {
  const { max_webhooks_per_guild } = await ports.limits.ofGuild(guild)
  const refuse = (): never => rejectWith('MAX_WEBHOOKS_PER_GUILD', { max_webhooks_per_guild })
  const ofGuild = { ...ofGuildCount(ports, guild.id), limit: max_webhooks_per_guild, refuse }
  return ports.reservations.within([ofGuild, await ofChannel(ports, guild, channelId)], act)
}

/** The same for an act that moves a webhook into a channel of its guild. */
export async function withinWebhooksOfChannel<Result>(
  ports: Needs,
  guild: Guild,
  channelId: ChannelId,
  act: () => Promise<Result>,
): Promise<Result> {
  return ports.reservations.within([await ofChannel(ports, guild, channelId)], act)
}

function ofGuildCount({ queries }: Pick<Ports, 'queries'>, guildId: GuildId) {
  return { key: `webhooks of guild ${guildId}`, count: () => queries.webhooks.countOfGuild(guildId) }
}

async function ofChannel({ limits, queries }: Needs, guild: Guild, channelId: ChannelId): Promise<Counted> {
  const { max_webhooks_per_channel } = await limits.ofGuild(guild)
  const refuse = (): never => rejectWith('MAX_WEBHOOKS_PER_CHANNEL', { max_webhooks_per_channel })
  const count = () => queries.webhooks.countOfChannel(channelId)
  return { key: `webhooks of channel ${channelId}`, count, limit: max_webhooks_per_channel, refuse }
}
