import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isLong } from '../../support/fault-table.ts'
import { call } from '../../support/load-api.ts'
import { spoiledIn, type DeliveryFault } from '../../support/nats-proxy/nats-proxy.ts'
import { listGuild } from './list-guild.ts'
import type { OnNetwork } from './network-stage.ts'
import { noteFindings, nothingWrong, productFindings, type FaultRun } from './product-findings.ts'
import { paced, patience_ms } from '../../support/pace.ts'

const fault_ms = isLong ? 30_000 : 1500
const longMessages_min = 2000
const spoiled_min = 4
const rounds = isLong ? 5 : 1
const recovery_ms_max = 5000

export function natsInTrouble(on: OnNetwork): void {
  describe('NATS in trouble: every session hears everything once and in order', () => {
    /** Resolves after this many more commands are answered. */
    async function commands(count: number): Promise<void> {
      const { entries } = on().guilds
      const wanted = entries.length + count
      await expect.poll(() => entries.length).toBeGreaterThanOrEqual(wanted)
    }

    /** Writes during the trouble of NATS, and a little before and after it; returns how long the last mark took to arrive. */
    async function through(begin: () => void | Promise<void>, end: () => void | Promise<void>): Promise<number> {
      const { guilds } = on()
      guilds.write()
      await commands(15)
      await begin()
      guilds.pace('slow')
      await sleep(fault_ms)
      await end()
      guilds.pace('usual')
      await commands(15)
      guilds.pace('slow')
      const recovered_ms = await guilds.mark()
      await guilds.rest()
      return recovered_ms
    }

    async function held(row: string, run: FaultRun): Promise<void> {
      const { guilds, guildhall } = on()
      await guilds.mark()
      const found = await productFindings(guilds, guildhall.store)
      noteFindings(row, run, found)
      expect(found.findings).toEqual(nothingWrong)
      expect(found.extent.facts).toBeGreaterThan(20)
      expect(run.recovered_ms).toBeLessThan(paced(recovery_ms_max))
    }

    it.each([
      ['F11', 'NATS killed and started again', 'kill'],
      ['F11a', 'NATS killed, and all that it stored wiped', 'wipe'],
    ] as const)('%s: %s', async (row, title, how) => {
      const { server } = on().nats
      const recovered_ms: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        recovered_ms.push(
          await through(
            () => server[how](),
            () => server.restart(),
          ),
        )
      }
      await held(row, { title, runs: rounds, recovered_ms: Math.max(...recovered_ms) })
    })

    it('F11b: while NATS is away, sessions still hear everything, and the directory is searched', async () => {
      const { guilds, guildhall, nats } = on()
      const listed = await listGuild(guildhall, guilds.owner)
      await nats.server.kill()
      guilds.write()
      expect(await call(guildhall.url, listed.search)).toEqual([listed.id])
      guilds.pace('slow')
      await sleep(fault_ms)
      await guilds.rest()
      const recovered_ms = await guilds.mark()
      await held('F11b', {
        title: 'NATS away, sessions told from the store, directory searched',
        runs: 1,
        recovered_ms,
      })
      await nats.server.restart()
      await guilds.mark()
    })

    /** The last column is the minimum of messages that are delivered meanwhile. */
    const spoiled: readonly (readonly [string, string, DeliveryFault, boolean, number])[] = [
      ['F12', '5% of messages lost without a trace', { kind: 'lose', percent: 5 }, true, 120],
      ['F12a', '5% of messages lost, which the client library notices', { kind: 'lose', percent: 5 }, false, 120],
      ['F14', 'every message twice', { kind: 'repeat' }, true, 60],
      ['F14a', 'every message twice, which the client library notices', { kind: 'repeat' }, false, 120],
      ['F15', 'all neighbours swapped', { kind: 'swap', percent: 100 }, true, 100],
      [
        'F15a',
        '10% of neighbours swapped, which the client library notices',
        { kind: 'swap', percent: 10 },
        false,
        120,
      ],
    ]

    it.each(spoiled)('%s: %s', async (row, title, fault, isTraceless, messages_min) => {
      const { guilds, nats } = on()
      const { proxy } = nats
      const before = { ...proxy.counts }
      const spoiledSince = (): number => spoiledIn(proxy.counts) - spoiledIn(before)
      // The mark is made while the fault lasts, because it must arrive before the fault ends.
      proxy.fault(fault, { isTraceless })
      guilds.write()
      await expect
        .poll(() => proxy.counts.delivered - before.delivered, { timeout: patience_ms })
        .toBeGreaterThanOrEqual(isLong ? longMessages_min : messages_min)
      // Messages are spoiled at random: among few messages there may be none.
      await expect.poll(spoiledSince).toBeGreaterThanOrEqual(spoiled_min)
      const recovered_ms = await guilds.mark()
      await guilds.rest()
      proxy.fault({ kind: 'none' })
      const messages = proxy.counts.delivered - before.delivered
      const spoiledMessages = spoiledSince()
      await held(row, {
        title,
        runs: spoiledMessages,
        recovered_ms,
        note: `${spoiledMessages} of ${messages} messages`,
      })
    })
  })
}
