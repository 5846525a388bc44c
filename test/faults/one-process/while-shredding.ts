import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresBackgroundJobs } from '../../../adapters/background-jobs/postgres-background-jobs.ts'
import { findRunningPostgres } from '../../../adapters/postgres/embedded/start.ts'
import { accountId, backgroundJobId, messageId } from '../../../domain/ids/ids.ts'
import { composeSnowflake, snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { isLong } from '../../support/fault-table.ts'
import { call, createGuild, getGuild, register } from '../../support/load-api.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { jobLeasesEnd } from '../leases-end.ts'
import { withStore } from '../store-checks.ts'
import { patience_ms } from '../../support/pace.ts'

const messages_count = isLong ? 60_000 : 30_000
const kills_count = 2
const job = backgroundJobId(snowflake('77'))
const low = composeSnowflake(Date.UTC(2026, 0, 1), 0)
const high = composeSnowflake(Date.UTC(2026, 1, 1), 0)

export function killedWhileShredding(site: LoadSite): void {
  describe('a process that is killed while it deletes an account’s messages', () => {
    let client: pg.Client | undefined
    afterAll(() => client?.end())

    /** Asks Postgres on one connection, which ends with the product that has started that Postgres. */
    async function ask(text: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
      client ??= await connected()
      return (await client.query<Record<string, unknown>>(text, [...values])).rows
    }

    async function connected(): Promise<pg.Client> {
      const connection = await findRunningPostgres(path.join(site.dataDir, 'postgres'))
      if (!connection) throw new Error('No Postgres runs')
      const made = new pg.Client(connection)
      made.on('error', () => undefined)
      await made.connect()
      return made
    }

    async function kill(): Promise<void> {
      await site.kill()
      client = undefined
    }

    const deletedCount = async (): Promise<number> =>
      Number(
        (await ask('select deleted_count from messages.shreds where job_id = $1', [job]))[0]?.['deleted_count'] ?? 0,
      )

    async function writeMessages(channel: string, guild: string, author: string): Promise<void> {
      await ask('select messages.lay_month($1, $2, $3)', ['m_2026_01', low, high])
      await ask(
        `insert into messages.messages select $1::int8 + n, $2, $3, $4, 0, 0, 'text', null, false, false, false, '{}', '{}', null, null
        from generate_series(1, $5::int8) n`,
        [low, channel, guild, author, messages_count],
      )
    }

    it('continues where it was, and tells of each once', async () => {
      const { url } = site.product
      const owner = await call(url, register('shredded'))
      const guild = await call(url, getGuild(owner, (await call(url, createGuild(owner, 'Home'))).id))
      await writeMessages(guild.textChannel, guild.id, owner.id)
      const author = accountId(snowflake(owner.id))
      await withStore(site.dataDir, ({ database }) =>
        postgresBackgroundJobs(database).add({
          jobId: job,
          task: 'delete_user_messages',
          work: { author, upTo: messageId(high), credential: 'command_line' },
          payload: {},
          total: messages_count,
          requestedBy: author,
          reason: null,
          commandId: '01a1f8ef-9cd2-7050-9050-505050505050',
          cause: { correlationId: 'request', causationId: 'command' },
          createdAt: timestamp(Date.now()),
        }),
      )
      for (let killed = 0; killed < kills_count; killed += 1) {
        const before = await deletedCount()
        let seen = before
        await expect
          .poll(async () => (seen = await deletedCount()), { interval: 5, timeout: patience_ms })
          .toBeGreaterThan(before)
        await kill()
        if (killed === 0) expect(seen).toBeLessThan(messages_count)
        await site.start()
        await jobLeasesEnd(ask)
      }
      expect(await deletedCount()).toBeLessThanOrEqual(messages_count)
      await expect
        .poll(async () => (await ask('select status from background_jobs.jobs where job_id = $1', [job]))[0], {
          timeout: patience_ms,
        })
        .toStrictEqual({ status: 'succeeded' })
      expect(await deletedCount()).toBe(messages_count)
      expect(await ask('select id from messages.messages where author_id = $1', [owner.id])).toStrictEqual([])
      const [told] = await ask(
        `select count(*)::int4 as told, count(distinct id)::int4 as ids, max(cardinality(message_ids))::int4 as most
        from messages.notices, unnest(message_ids) id where kind = 'deleted_bulk' and channel_id = $1`,
        [guild.textChannel],
      )
      expect(told).toStrictEqual({ told: messages_count, ids: messages_count, most: 100 })
    })
  })
}
