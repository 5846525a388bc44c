import type { GuildFacts } from '../../../domain/discovery-application/events.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Acting } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

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
