import { accountId, guildId, membershipId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { BanMember } from '../../../domain/membership/commands.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'

interface Identified {
  readonly id: string
}

/** The ids of a ban, and how many seconds ago it was. */
export interface AppendedBan {
  readonly guild: Identified
  readonly moderator: Identified
  readonly account: Identified
  readonly ago_s?: number
  readonly terms: Partial<Pick<BanMember, 'email' | 'deleteMessageSeconds'>>
}

/** What remains of a ban whose process died at once: its event, which the read models have, and none of its effects. */
export async function appendBan(
  { ports }: TestGuildhall,
  { guild, moderator, account, ago_s = 0, terms }: AppendedBan,
): Promise<void> {
  const context = testContext()
  const names = { guildId: guildId(snowflake(guild.id)), accountId: accountId(snowflake(account.id)) }
  const none = {
    reason: null,
    expiresAt: null,
    email: null,
    ip: null,
    deleteMessageSeconds: null,
    deleteMessageDays: null,
  }
  const by = { moderatorId: accountId(snowflake(moderator.id)), now: secondsAfter(context.now, -ago_s) }
  const command = { type: 'BanMember', ...names, ...by, ...none, ...terms } as const
  await ports.aggregates.membership.execute(membershipId(names.guildId, names.accountId), command, context)
  await ports.readModels.reached(context.written)
}
