import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { isLong } from '../../support/fault-table.ts'
import { chance } from '../../support/load-random.ts'
import { call, createInvite, currentUser, send, type ApiRequest } from '../../support/load-api.ts'
import { administrationAtWork } from './administration-at-work.ts'
import { listGuild } from './list-guild.ts'
import type { OnNetwork } from './network-stage.ts'
import { noteFindings, nothingWrong, productFindings } from './product-findings.ts'
import { paced } from '../../support/pace.ts'

/** Longer than a request waits for Postgres. */
const stop_ms = isLong ? 30_000 : 12_000
const answer_ms_max = 20_000
const recovery_ms_max = 5000
const cuts = isLong ? 300 : 30

/** The last chapter: its sessions may begin anew. */
export function postgresInTrouble(on: OnNetwork, seed: number): void {
  describe('Postgres in trouble', () => {
    afterAll(() => on().postgres.signal('SIGCONT'))

    /** Sends reads, searches and writes while Postgres hangs; returns the answers at the end of the hang. */
    async function whileStopped(
      search: ApiRequest,
    ): Promise<readonly { readonly status: number; readonly ms: number }[]> {
      const { guilds, guildhall } = on()
      const stopped = performance.now()
      const ask = async (request: ApiRequest) => {
        const began = performance.now()
        const { status } = await send(guildhall.url, request)
        return { status, ms: performance.now() - began }
      }
      const asked = Array.from({ length: 40 }, (_, index) => {
        const wishes = { max_uses: 1, max_age: 100_000 + index }
        if (index % 10 === 3) return ask(search)
        return ask(
          index % 2 === 0 ? currentUser(guilds.owner) : createInvite(guilds.owner, guilds.guild.textChannel, wishes),
        )
      })
      const answers = await Promise.all(asked)
      await sleep(Math.max(0, stop_ms - (performance.now() - stopped)))
      return answers
    }

    it('F9: that hangs has every request answered in time, and projecting goes on from its checkpoint', async () => {
      const { guilds, guildhall } = on()
      const administration = await administrationAtWork(guildhall)
      const listed = await listGuild(guildhall, guilds.owner)
      guilds.write()
      await sleep(500)
      expect(on().postgres.signal('SIGSTOP')).toBeGreaterThan(5)
      const over = new AbortController()
      const acting = administration.act(once(over.signal, 'abort'))
      const answers = await whileStopped(listed.search).finally(() => on().postgres.signal('SIGCONT'))
      const recovered_ms = await guilds.mark()
      await guilds.rest()
      await guilds.mark()
      over.abort()
      expect(await call(guildhall.url, listed.search)).toEqual([listed.id])
      expect(await acting).toBeGreaterThan(0)
      expect(await administration.findings()).toEqual([])

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      const slowest_ms = Math.max(...answers.map(({ ms }) => ms))
      expect(slowest_ms).toBeLessThan(paced(answer_ms_max))
      const found = await productFindings(guilds, guildhall.store)
      const { restarted } = found.findings
      const note = `slowest refusal ${(slowest_ms / 1000).toFixed(1)} s, ${restarted} sessions began anew`
      noteFindings('F9', { title: `Postgres stopped ${stop_ms / 1000} s`, runs: 1, recovered_ms, note }, found)
      // A session that missed an event because its content is in Postgres is ended, rather than left with a gap.
      expect(found.extent.facts).toBeGreaterThan(5)
      expect(found.findings).toEqual({ ...nothingWrong, restarted })
      expect(recovered_ms).toBeLessThan(paced(recovery_ms_max))
    })

    it('F9a: that resets connections during statements has each command done once, and projecting goes on', async () => {
      const { guilds, guildhall, postgres } = on()
      const { proxy } = postgres
      const random = chance(seed)
      guilds.write()
      for (let cut = 0; cut < cuts; cut += 1) {
        await proxy.resetAfter(random.between(1, 20_000))
        // Now and then resets all of them at once, as when Postgres ends.
        if (cut % 5 === 4) proxy.reset()
        await sleep(random.between(0, 60))
      }
      const recovered_ms = await guilds.mark()
      await guilds.rest()
      await guilds.mark()
      const found = await productFindings(guilds, guildhall.store)
      const { restarted } = found.findings
      const note = `${proxy.resets} connections, ${found.extent.retried} commands retried, ${restarted} sessions began anew`
      noteFindings('F9a', { title: 'Postgres resets in mid-statement', runs: cuts, recovered_ms, note }, found)
      expect(found.extent.facts).toBeGreaterThan(5)
      expect(found.findings).toEqual({ ...nothingWrong, restarted })
      expect(recovered_ms).toBeLessThan(paced(recovery_ms_max))
    })
  })
}
