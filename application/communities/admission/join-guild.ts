import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.js'
import type { Admission } from '../../../domain/membership/events.js'
import { contextWith } from '../../commands/following-context.js'
import type { CommandContext } from '../../commands/command-context.js'
import type { Ports } from '../../ports.js'

/** Who joins what, and what lets them in. */
export interface Joining {
  readonly guildId: GuildId
  readonly accountId: AccountId
  readonly temporary: boolean
  readonly admission: Admission
}

type Needs = Pick<Ports, 'aggregates'>

/**
 * Makes the account a member. `joined` also where an earlier try of this very command did; `member_already` where another
 * admission did. Refuses with USER_BANNED_FROM_GUILD.
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
  // Somebody made the account a member before: a process manager that took this very step, or another admission. Asked
  // now, after the membership was seen, the store knows which.
  const again = await aggregates.membership.execute(id, command, contextWith(context, { mayRepeat: true }))
  return again.repeated ? 'joined' : 'member_already'
}
