import type { GuildFacts } from '../../../domain/discovery-application/events.js'
import type { GuildId } from '../../../domain/ids/ids.js'
import type { Acting } from '../../caller.js'
import type { Ports } from '../../ports.js'

/** What an administrator decides on: the guild as it is shown now, null where it is gone or cannot be read. */
export async function judging(
  { queries }: Pick<Ports, 'queries'>,
  { account, context }: Acting,
  guildId: GuildId,
): Promise<{
  readonly by: Acting['account']['id']
  readonly guild: GuildFacts | null
  readonly now: Acting['context']['now']
}> {
  const guild = (await queries.discovery.guildFacts(guildId)) ?? null
  return { by: account.id, guild, now: context.now }
}
