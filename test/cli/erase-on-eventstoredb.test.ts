import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import type { Certificate } from '../../cli/proof/certificate.ts'
import { found } from '../operations/support/answers.ts'
import { deletionIsDue, erase } from '../operations/support/erasure.ts'
import { startEventStoreDouble } from '../support/eventstoredb-double/double.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { laidDatabase } from '../support/test-database.ts'
import { startTestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

it('guildhall erase looks through the events of an EventStoreDB', async () => {
  const double = await startEventStoreDouble()
  onTestFinished(() => double.close())
  const { connection, close } = await laidDatabase()
  onTestFinished(close)
  const [personalDataKey, dataDir] = [randomBytes(32), await temporaryFolder('erase')]
  const options = { connection, personalDataKey, dataDir, eventStoreUrl: double.url }
  const server = await startTestGuildhall({ ...options, looks_ms: 100 })
  onTestFinished(() => server.close())
  const prove = async (id: string): Promise<Certificate['proof']> => {
    const environment = { ...environmentOf(connection, personalDataKey, double.url), DATA_DIR: dataDir }
    const { output } = await runHere(['erase', id, '--prove'], environment)
    return (JSON.parse(output) as Certificate).proof
  }
  const [ada, brian] = [await server.register(), await server.register()]
  await deletionIsDue(server, ada)
  expect(await erase(server, ada)).toBe(true)
  const guild = await found(server, brian, `A guild for ${ada.email}`)
  const { found: left, lookedThrough } = await prove(ada.id)
  expect(left.first.filter(({ where }) => where.startsWith('events'))).toEqual([
    { kind: 'account.email', encoding: 'utf-8', where: `events: guild-${guild.id} @0` },
  ])
  expect(lookedThrough.events).toMatchObject({ store: 'eventstoredb', count: expect.any(Number) as number })
})
