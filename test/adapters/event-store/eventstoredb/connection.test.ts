import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { noStream } from '../../../../domain/kernel/position.ts'
import { anyStream, collect, idsOf, newEvents, take } from '../../../contract/sample-events.ts'
import { certificateOfLocalhost } from '../../../support/eventstoredb-double/certificate.ts'
import { startEventStoreDouble, type EventStoreDouble } from '../../../support/eventstoredb-double/double.ts'

const [user, password] = ['guildhall', 'pa%20ss']
const pair = certificateOfLocalhost()
let folder: string
let authority: string
let double: EventStoreDouble
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guildhall-esdb-'))
  authority = path.join(folder, 'ca.pem')
  await writeFile(authority, pair.certificate)
  double = await startEventStoreDouble({ secured: { ...pair, user, password: decodeURIComponent(password) } })
})
afterAll(async () => {
  await double.close()
  await rm(folder, { recursive: true })
})

const open = (url: string) => openEventStoreDb({ url, keys: memoryPersonalDataKeys(), deadlines: { read_ms: 1000 } })
const address = () => `127.0.0.1:${double.port}`

describe('a connection string of EventStoreDB', () => {
  it('carries TLS and credentials, which every call then has', async () => {
    const store = await open(`esdb://${user}:${password}@${address()}?tlsCAFile=${encodeURIComponent(authority)}`)
    const stream = anyStream()
    const events = newEvents(3)
    expect(await store.append(stream, noStream, events)).toMatchObject({ outcome: 'appended' })
    expect(idsOf(await collect(store.readStream(stream, noStream)))).toEqual(idsOf(events))
    const followed = take(store.follow(-1n, { signal: new AbortController().signal, maxEvents: 10 }), 3)
    expect(idsOf(await followed)).toEqual(idsOf(events))
    await store.close()
  })

  it('with other credentials, or none, is refused at once and says why', async () => {
    for (const credentials of ['guildhall:wrong@', '']) {
      const opened = open(`esdb://${credentials}${address()}?tlsCAFile=${encodeURIComponent(authority)}`)
      await expect(opened).rejects.toMatchObject({
        name: 'EventStoreRefusal',
        message: expect.stringMatching(/credentials in the connection string/),
      })
    }
  })

  it('without the authority that vouches for the server is not connected with', async () => {
    const opened = open(`esdb://${user}:${password}@${address()}`)
    await expect(opened).rejects.toMatchObject({ name: 'EventStoreUnavailable' })
  })

  it('that names a server by what its certificate does not name, an address or a name, is not connected with', async () => {
    const elsewhere = createServer((socket) => socket.pipe(connect(double.port, '127.0.0.1')).pipe(socket))
    await once(elsewhere.listen(double.port, '127.0.0.2'), 'listening')
    for (const host of ['127.0.0.2', 'localhost']) {
      const opened = open(
        `esdb://${user}:${password}@${host}:${double.port}?tlsCAFile=${encodeURIComponent(authority)}`,
      )
      await expect(opened).rejects.toMatchObject({
        name: 'EventStoreUnavailable',
        message: expect.stringContaining("does not match certificate's altnames"),
      })
    }
    await new Promise((resolve) => elsewhere.close(resolve))
  })

  it.each([
    'esdb://guildhall:s3cret@host:port',
    'postgres://guildhall:s3cret@host',
    'esdb://guildhall:s3cret@host?tls=no',
  ])('that can not be used is refused without its password: %s', async (url) => {
    const error: unknown = await open(url).catch((refused: unknown) => refused)
    expect(error).toMatchObject({ message: expect.stringMatching(/connection string of EventStoreDB/) })
    expect(inspect(error, { depth: 5 })).not.toContain('s3cret')
  })
})
