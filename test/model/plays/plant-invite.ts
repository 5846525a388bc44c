import { randomBytes } from 'node:crypto'
import { countedAmongInvites } from '../../../application/communities/invites/within-invites.ts'
import { accountId, channelId, guildId, inviteCode } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { testContext } from '../../support/test-context.ts'
import type { ModelCaller } from '../support/cast.ts'
import type { Stage } from '../support/stage.ts'
import type { ModelChannel, ModelGuild, World } from '../support/world.ts'

const age_ms = 3_600_000
/** In seconds: `old` admits for another hour, `over` expired half an hour ago. */
const lifetimes = { old: 7200, over: 1800 } as const

/** Plants an invite as if created an hour ago, so that a test sees the end of its lifetime without waiting. */
export async function plantInvite(
  { guildhall }: Stage,
  world: World,
  [guild, channel]: readonly [ModelGuild, ModelChannel],
  { person }: ModelCaller,
  age: keyof typeof lifetimes,
): Promise<void> {
  if (!person) return
  const code = randomBytes(4).toString('hex')
  const plain = { code, maxUses: 0, maxAge: lifetimes[age], temporary: false }
  const createdAt = timestamp(Date.now() - age_ms)
  const ids = { guildId: guild.id, channelId: channel.id, inviterId: person.id }
  const terms = {
    ...plain,
    code: inviteCode(code),
    guildId: guildId(snowflake(guild.id)),
    channelId: channelId(snowflake(channel.id)),
    inviterId: accountId(snowflake(person.id)),
    createdAt,
  }
  const context = testContext()
  // This bypasses the use case, but takes the turn of those who create invites, because their counts are remembered.
  await countedAmongInvites(guildhall.ports, terms.guildId, timestamp(Date.now()), async () => {
    await guildhall.ports.aggregates.invite.execute(code, { type: 'CreateInvite', terms }, context, 'initial')
    await guildhall.readModels.reached(context.written)
  })
  world.note(code)
  if (age === 'old') world.invites.push({ ...plain, ...ids, createdAt, uses: 0 })
}
