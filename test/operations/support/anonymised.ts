import { expect } from 'vitest'
import type { AnonymisingLimits } from '../../../application/identity/erasure/anonymise-messages.ts'
import type { Ports } from '../../../application/ports.ts'
import { finishStep } from '../../../application/processes/finish-step.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import { deletionIsDue, erase } from './erasure.ts'
import { sent } from './messages.ts'

/** Erased accounts of a server, and what becomes of their messages. */
export function anonymising(guildhall: TestGuildhall) {
  const { ports, store } = guildhall
  const stepOf = ({ id }: TestAccount) => ports.queries.unfinished.find('authored_messages', id)
  return {
    stepOf,
    async erased(account: TestAccount): Promise<void> {
      await deletionIsDue(guildhall, account)
      expect(await erase(guildhall, account)).toBe(true)
      await ports.readModels.reached((await ports.aggregates.account.load(accountId(snowflake(account.id)))).position)
    },
    /** What a worker does some minutes after the erasure; false if nothing is left to do. */
    async anonymise(
      account: TestAccount,
      needs: Ports = ports,
      limits: Partial<AnonymisingLimits> = {},
    ): Promise<boolean> {
      const step = await stepOf(account)
      if (!step) return false
      const finish = finishStep(needs)
      // Once for the first pass, and once after the longest life of a request.
      for (let tries = 0; tries < 2; tries += 1)
        if (await finish(step, timestamp(Date.now()), { requestLife_ms: 0, ...limits })) return true
      return false
    },
    /** Posts many messages without a request for each. */
    async writeMany(author: TestAccount, channel: string, count: number): Promise<void> {
      const first = BigInt(await sent(guildhall, author, channel, 'The first'))
      await store.database.pool.query(
        `insert into messages.messages select (m.id + n), m.channel_id, m.guild_id, m.author_id, m.type, m.flags, m.content,
          m.edited_at, m.tts, m.mentions_everyone, m.mentions_here, m.mentions, m.mention_roles, m.reference, m.nonce
        from messages.messages m, generate_series(1, $2) n where m.id = $1`,
        [first.toString(), count - 1],
      )
    },
    /** The authors in a channel, with how much each wrote. */
    async authorsIn(channel: string) {
      const { rows } = await store.database.pool.query<{ readonly author_id: string; readonly count: number }>(
        'select author_id, count(*)::int as count from messages.messages where channel_id = $1 group by author_id',
        [channel],
      )
      return rows
    },
  }
}
