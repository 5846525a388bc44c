import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { acceptInvite, call, createGuild, createInvite, getGuild, register } from '../../support/load-api.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { addErasureJob, appendDueDeletion, firstRoundIsOver } from './due-erasure.ts'
import { killAfterFirstAppend } from './kill-after-first-append.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore } from '../store-checks.ts'
import { patience_ms } from '../../support/pace.ts'

/** The first chapter: the worker's first round ends soon after the first start, and the next one begins a minute later. */
export function killedWhileErasing(site: LoadSite): void {
  describe('a process that is killed after it has begun to erase the owner of guilds', () => {
    it('goes on after its restart: every step once, each guild has its heir or is deleted, and nothing personal is left', async () => {
      const { url } = site.product
      const unique = randomUUID().slice(0, 8)
      const ownerName = `owner${unique}`
      const [owner, heir] = [await call(url, register(ownerName)), await call(url, register(`heir${unique}`))]
      const home = await call(url, createGuild(owner, 'Home'))
      const alone = await call(url, createGuild(owner, 'Alone'))
      const { textChannel } = await call(url, getGuild(owner, home.id))
      const { code } = await call(url, createInvite(owner, textChannel, { max_uses: 1, max_age: 0 }))
      await call(url, acceptInvite(heir, code))
      await firstRoundIsOver(site)
      await withStore(site.dataDir, (store) => appendDueDeletion(store, owner, heir))
      await killAfterFirstAppend(site, {
        begin: () => addErasureJob(site, owner),
        first: 'AccountErasureStarted',
        second: 'EmailAddressReleased',
      })
      await site.start()
      await withStore(site.dataDir, async (store) => {
        expect(await finishedSteps(store, patience_ms)).toMatchObject({ left: 0 })
        const history = await wholeHistory(store)
        const since = history.slice(history.findIndex(({ type }) => type === 'AccountErasureStarted'))
        expect(since.map(({ type }) => type)).toEqual([
          'AccountErasureStarted',
          'EmailAddressReleased',
          'HandleReleased',
          'OwnershipTransferred',
          'GuildDeleted',
          'ChannelMessagesRemoved',
          'MemberLeft',
          'AccountErased',
        ])
        const dataOf = (wanted: string) => since.find(({ type }) => type === wanted)?.data
        expect(dataOf('OwnershipTransferred')).toMatchObject({ guildId: home.id, from: owner.id, to: heir.id })
        expect(dataOf('GuildDeleted')).toMatchObject({ guildId: alone.id })
        expect(JSON.stringify(history.map(({ data }) => data))).not.toContain(`${ownerName}@example.com`)
        expect((await store.keys.existingKeys([accountId(snowflake(owner.id))])).size).toBe(0)
        expect(await divergentRows(store)).toEqual([])
      })
    })
  })
}
