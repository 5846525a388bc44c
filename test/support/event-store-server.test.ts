import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEventStoreServer } from './event-store-server.ts'
import { startEventStoreDouble, type EventStoreDouble } from './eventstoredb-double/double.ts'

let folder: string
let named: EventStoreDouble
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'guildhall-reset-'))
  named = await startEventStoreDouble()
})
afterEach(async () => {
  await named.close()
  rmSync(folder, { recursive: true })
})

const settings = (command: string | undefined) => ({
  PATH: process.env['PATH'],
  EVENTSTORE_URL: named.url,
  RESET_EVENTSTORE: command,
})

describe('EventStoreDB for a suite', () => {
  it('is the server that EVENTSTORE_URL names, after the command that empties it, which gets no option of EventStoreDB', async () => {
    const said = path.join(folder, 'said')
    const server = await startEventStoreServer(settings(`env > ${said}`))
    expect(server).toMatchObject({ url: named.url, kind: 'EventStoreDB', signal: undefined })
    expect(readFileSync(said, 'utf8')).not.toContain('EVENTSTORE_URL')
    await server.stop()
    expect(named.isServing()).toBe(true)
  })

  it('is refused where nothing empties it, where that fails, and where events are left', async () => {
    await expect(startEventStoreServer(settings(undefined))).rejects.toThrow('RESET_EVENTSTORE')
    await expect(startEventStoreServer(settings('exit 3'))).rejects.toMatchObject({ code: 3 })
    const event = { id: crypto.randomUUID(), contentType: 'application/json', data: Buffer.from('{}') }
    named.log.commit('guild-1', 'any', [{ ...event, type: 'GuildFounded', metadata: Buffer.from('{}') }])
    await expect(startEventStoreServer(settings('true'))).rejects.toThrow('has left events')
  })

  it('is the double, where none is named', async () => {
    const server = await startEventStoreServer({})
    expect(server).toMatchObject({ kind: 'double', pids: expect.any(Function) })
    expect(server.pids()).toHaveLength(1)
    await server.stop()
  })
})
