import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import type { Admission } from '../../../domain/membership/events.ts'
import { contextWith } from '../../commands/following-context.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'

/** An account that joins a guild, and its admission. */
export interface Joining {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly temporary: boolean
  readonly admission: Admission
}

type Needs = Pick<Ports, 'aggregates'>

/**
 * Makes the account a member. `joined` also if an earlier try of this same command did; `member_already` if another admission
 * did. Refuses with USER_BANNED_FROM_GUILD.
 */
export async function joinGuild(
  { aggregates }: Needs,
  joining: Joining,
  context: CommandContext,
): Promise<'joined' | 'member_already'> {
  const id = membershipId(joining.guildId, joining.accountId)
  const command = { type: 'JoinGuild', ...joining, now: context.now } as const
  // Most who join never were there: then nothing has to be read.
  const first = await aggregates.membership.execute(id, command, context, 'initial')
  if (first.changed || first.repeated) return 'joined'
  // The account is a member already: by a process manager that took this same step, or by another admission. The membership has
  // now been seen, so the store knows which.
  const again = await aggregates.membership.execute(id, command, contextWith(context, { mayRepeat: true }))
  return again.repeated ? 'joined' : 'member_already'
}
