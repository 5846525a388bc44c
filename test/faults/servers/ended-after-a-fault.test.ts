import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import { end_ms_max } from '../../../cli/commands/ending.ts'
import { roles } from '../../../process/roles/role.ts'
import { processesOn } from '../../adapters/postgres/embedded/support.ts'
import { startCluster, type Cluster, type ClusterDatabase } from '../../support/cluster/start-cluster.ts'
import { newWitness, openSession, type Witness } from '../../support/cluster/witness.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { layPostgres } from '../../support/lay-postgres.ts'
import { createInvite, send } from '../../support/load-api.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { paced } from '../../support/pace.ts'
import { startProduct, type ProductProcess } from '../../support/product-process.ts'

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

describe.skipIf(natsIsMissing !== undefined)(natsSuite('SIGTERM after a fault'), () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'gh-ended-'))
  const folder = path.join(home, 'postgres')
  let cluster: Cluster
  let witness: Witness

  beforeAll(async () => {
    // Every user may enter the folder, since Postgres never runs as root.
    chmodSync(home, 0o755)
    const one = { apis: 1, gateways: 1, projectors: 1, workers: 1 }
    cluster = await startCluster({ ...one, eventStore: 'eventstoredb', database: () => databaseIn(folder) })
    witness = await newWitness(() => urlOf('api'), 'witness')
  })
  afterAll(async () => {
    signalPostgres(folder, 'SIGCONT')
    cluster.nats.signal('SIGCONT')
    await cluster.close()
  })

  const urlOf = (role: 'api' | 'gateway'): string => cluster.running(role)[0]?.url ?? ''
  const everyProcess = (): readonly ProductProcess[] => roles.flatMap((role) => cluster.running(role))
  const stops: Readonly<Record<'nats' | 'postgres' | 'store', (name: NodeJS.Signals) => unknown>> = {
    nats: (name) => cluster.nats.signal(name),
    postgres: (name) => signalPostgres(folder, name),
    store: (name) => cluster.eventStore?.signal?.(name),
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
        begin: () => cluster.nats.kill(),
        end: () => cluster.nats.restart(),
      },
    ],
    ['F32b', hung('Postgres hangs', hangs_ms, ['postgres'])],
    ['F32c', hung('EventStoreDB hangs', hangs_ms, ['store'])],
    ['F32d', hung('all of them hang', hangs_ms, ['nats', 'postgres', 'store'])],
  ]
  const few: readonly (readonly [string, Fault])[] = [['F32', hung('NATS hangs', natsHangs_ms, ['nats'])]]
  const faults = isLong ? [...few, ...more] : few

  it.each(faults)('%s: ends every process within its bound', async (row, fault) => {
    for (const role of roles) if (cluster.running(role).length === 0) await cluster.add(role)
    const session = await openSession(urlOf('gateway'), witness.owner)
    const processes = everyProcess()
    await fault.begin()
    const asked = Array.from({ length: requests }, (_none, index) => {
      const wishes = { max_uses: 1, max_age: 100_000 + index }
      return send(urlOf('api'), createInvite(witness.owner, witness.guild.textChannel, wishes)).catch(String)
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

describe('SIGTERM of one process whose embedded Postgres hangs', () => {
  it('ends the process within its bound, and Postgres once that goes on', async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'gh-ended-'))
    chmodSync(dataDir, 0o755)
    const postgres = path.join(dataDir, 'postgres')
    await layPostgres(postgres)
    const product = await startProduct({ dataDir })
    try {
      signalPostgres(postgres, 'SIGSTOP')
      const asked = fetch(`${product.url}/v1/users/@me`, { headers: { authorization: 'gld_none' } }).catch(String)
      const began = performance.now()
      const late = setTimeout(() => product.signal('SIGKILL'), paced(end_ms_max))
      const status = await product.kill('SIGTERM')
      clearTimeout(late)
      const stuck_s = (performance.now() - began) / 1000
      await asked
      noteFault('F32e', {
        title: 'SIGTERM of one process while its embedded Postgres hangs',
        runs: 1,
        lost: status === null ? 1 : 0,
        repeated: 0,
        reordered: 0,
        divergent: 0,
        stuck_s,
      })
      expect(status, `${product.lines.join('\n')}`).not.toBeNull()
    } finally {
      signalPostgres(postgres, 'SIGCONT')
      await product.kill()
      await expect.poll(() => processesOn(postgres)).toEqual([])
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    }
  })
})

async function databaseIn(folder: string): Promise<ClusterDatabase> {
  const settings = { max_connections: '300', fsync: 'off' }
  await layPostgres(folder)
  const { connection, stop } = await startEmbeddedPostgres({ folder, settings })
  return {
    connection,
    close: () => stop().finally(() => rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 20 })),
  }
}

function signalPostgres(folder: string, name: NodeJS.Signals): void {
  const servers = processesOn(folder).filter(({ command }) => command === 'postgres')
  for (const { pid } of servers) signalIfThere(pid, name)
}

/** A process of Postgres may end by itself in the meantime. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
