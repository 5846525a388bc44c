import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { end_ms_max } from '../../../cli/commands/ending.ts'
import { roles } from '../../../process/roles/role.ts'
import { newWitness, openSession, type Witness } from '../../support/cluster/witness.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { createInvite, send } from '../../support/load-api.ts'
import { paced } from '../../support/pace.ts'
import type { ProductProcess } from '../../support/product-process.ts'
import { signalPostgres } from '../signal-postgres.ts'
import type { OnStage } from './cluster-stage.ts'

/** Several times as long as the NATS client needs to notice and to reconnect. */
const natsHangs_ms = isLong ? 60_000 : 25_000
const hangs_ms = 3000
const requests = 8

interface Fault {
  readonly title: string
  readonly lasts_ms: number
  begin(): unknown
  end(): unknown
}

/**
 * The last chapter: it leaves no process. The Postgres of the stage runs in the folder.
 */
export function endedAfterAFault(on: OnStage, folder: string): void {
  describe('SIGTERM after a fault', () => {
    let witness: Witness

    beforeAll(async () => {
      witness = await newWitness(() => on().urlOf('api'), 'ended')
    })
    afterAll(() => {
      signalPostgres(folder, 'SIGCONT')
      on().cluster.nats.signal('SIGCONT')
    })

    const everyProcess = (): readonly ProductProcess[] => roles.flatMap((role) => on().cluster.running(role))
    const stops: Readonly<Record<'nats' | 'postgres' | 'store', (name: NodeJS.Signals) => unknown>> = {
      nats: (name) => on().cluster.nats.signal(name),
      postgres: (name) => signalPostgres(folder, name),
      store: (name) => on().cluster.eventStore?.signal?.(name),
    }
    const hung = (title: string, lasts_ms: number, servers: readonly (keyof typeof stops)[]): Fault => ({
      title,
      lasts_ms,
      begin: () => servers.forEach((server) => stops[server]('SIGSTOP')),
      end: () => servers.forEach((server) => stops[server]('SIGCONT')),
    })

    const more: readonly (readonly [string, Fault])[] = [
      [
        'F32a',
        {
          title: 'NATS is gone',
          lasts_ms: hangs_ms,
          begin: () => on().cluster.nats.kill(),
          end: () => on().cluster.nats.restart(),
        },
      ],
      ['F32b', hung('Postgres hangs', hangs_ms, ['postgres'])],
      ['F32c', hung('EventStoreDB hangs', hangs_ms, ['store'])],
      ['F32d', hung('all of them hang', hangs_ms, ['nats', 'postgres', 'store'])],
    ]
    const few: readonly (readonly [string, Fault])[] = [['F32', hung('NATS hangs', natsHangs_ms, ['nats'])]]
    const faults = isLong ? [...few, ...more] : few

    it.each(faults)('%s: ends every process within its bound', async (row, fault) => {
      for (const role of roles) await on().atLeast(role, 1)
      const session = await openSession(on().urlOf('gateway'), witness.owner)
      const processes = everyProcess()
      await fault.begin()
      const asked = Array.from({ length: requests }, (_none, index) => {
        const wishes = { max_uses: 1, max_age: 100_000 + index }
        return send(on().urlOf('api'), createInvite(witness.owner, witness.guild.textChannel, wishes)).catch(String)
      })
      await sleep(fault.lasts_ms)
      const began = performance.now()
      const ended = processes.map(async (product) => {
        const late = setTimeout(() => product.signal('SIGKILL'), paced(end_ms_max))
        const status = await product.kill('SIGTERM')
        clearTimeout(late)
        return { role: product.command, status, ms: Math.round(performance.now() - began) }
      })
      const all = await Promise.all(ended)
      await fault.end()
      session.close()
      const answers = await Promise.all(asked)
      const left = all.filter(({ status }) => status === null)
      noteFault(row, {
        title: `SIGTERM of each role while ${fault.title}`,
        runs: all.length,
        lost: left.length,
        repeated: 0,
        reordered: 0,
        divergent: 0,
        stuck_s: Math.max(...all.map(({ ms }) => ms)) / 1000,
        note: all.map(({ role, status, ms }) => `${role} ${(ms / 1000).toFixed(1)} s (${status})`).join(', '),
      })
      const lastLines = processes.map(({ lines }) => lines.slice(-5).join('\n')).join('\n\n')
      expect(left, `${lastLines}`).toEqual([])
      for (const answer of answers) expect(answer).not.toMatchObject({ status: 500 })
    })
  })
}
