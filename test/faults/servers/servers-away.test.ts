import path from 'node:path'
import os from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closingList } from '../../../process/closing-list.ts'
import { roles, type Role } from '../../../process/roles/role.ts'
import { environmentOf } from '../../support/cluster/start-cluster.ts'
import { newWitness, openSession } from '../../support/cluster/witness.ts'
import { startDoubleProcess } from '../../support/eventstoredb-double/double-process.ts'
import { noteFault } from '../../support/fault-table.ts'
import { natsIsMissing, natsSuite, startNatsServer } from '../../support/nats-server.ts'
import { startProduct, type ProductProcess } from '../../support/product-process.ts'
import { crashablePostgres } from '../projecting/crashable-postgres.ts'
import { patience_ms } from '../../support/pace.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('roles that are started before their servers'), () => {
  const closings = closingList()
  const said = new Map<Role, string[]>(roles.map((role) => [role, []]))
  let allThere_ms = 0
  let starts: readonly Promise<ProductProcess>[] = []
  /** The servers that are there now; they come in this order. */
  let arrivals: Readonly<Record<'DATABASE_URL' | 'EVENTSTORE_URL' | 'NATS_URL', () => Promise<void>>>

  beforeAll(async () => {
    const postgres = await crashablePostgres()
    closings.add(() => postgres.remove())
    const nats = await startNatsServer()
    closings.add(() => nats.stop())
    const double = await startDoubleProcess()
    const port = Number(new URL(double.url).port)
    await Promise.all([postgres.crash(), nats.kill(), double.stop()])
    arrivals = {
      DATABASE_URL: () => postgres.restart(),
      EVENTSTORE_URL: async () => {
        const again = await startDoubleProcess({ port })
        closings.add(() => again.stop())
      },
      NATS_URL: () => nats.restart(),
    }
    const { connection } = postgres
    const environment = environmentOf({ connection, nats, eventStore: double, personalDataKey: new Uint8Array(32) })
    starts = roles.map((command) =>
      startProduct({
        command,
        dataDir: path.join(os.tmpdir(), 'not-used'),
        environment,
        onStarted: (signal) => closings.add(async () => signal('SIGKILL')),
        onLine: (line) => void said.get(command)?.push(line),
      }),
    )
    // The last test checks the outcome.
    for (const start of starts) start.catch((error: unknown) => error)
  })
  afterAll(() => closings.close())

  const waitsFor = (role: Role): readonly unknown[] =>
    (said.get(role) ?? [])
      .map((line) => (line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {}))
      .filter(({ msg }) => msg === 'a server is away: waiting for it')
      .map(({ away }) => away)

  it.each(['DATABASE_URL', 'EVENTSTORE_URL', 'NATS_URL'] as const)(
    'wait for %s, each with one line',
    async (setting) => {
      for (const role of roles)
        await expect
          .poll(() => waitsFor(role), { timeout: patience_ms, message: said.get(role)?.join('\n') ?? '' })
          .toContain(setting)
      await arrivals[setting]()
      allThere_ms = performance.now()
    },
  )

  it('serve once all are there', async () => {
    const products = await Promise.all(starts)
    const urlOf = (role: Role): string => products.find(({ command }) => command === role)?.url ?? ''
    const witness = await newWitness(() => urlOf('api'), 'early')
    const session = await openSession(urlOf('gateway'), witness.owner)
    session.close()
    const stuck_s = (performance.now() - allThere_ms) / 1000
    for (const role of roles) expect(waitsFor(role)).toEqual(['DATABASE_URL', 'EVENTSTORE_URL', 'NATS_URL'])
    noteFault('F36', {
      title: 'Every role started while Postgres, EventStoreDB and NATS are away',
      runs: roles.length * 3,
      lost: products.filter(({ isRunning }) => !isRunning).length,
      repeated: 0,
      reordered: 0,
      divergent: 0,
      stuck_s,
    })
  })
})
