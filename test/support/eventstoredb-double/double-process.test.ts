import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { doubleProgram, startDoubleProcess, type DoubleProcess } from './double-process.ts'

const started: DoubleProcess[] = []
const clients: EventStoreDBClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  await Promise.all(started.splice(0).map((double) => double.stop()))
})

async function start(port?: number): Promise<DoubleProcess> {
  const double = await startDoubleProcess(port === undefined ? {} : { port })
  started.push(double)
  return double
}

function connect({ url }: DoubleProcess): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url)
  clients.push(client)
  return client
}

const counted = (count: number) => jsonEvent({ type: 'Counted', data: { count } })
const portOf = ({ url }: DoubleProcess): number => Number(/:(\d+)\?/.exec(url)?.[1])

describe('the double of EventStoreDB as a process', () => {
  it('serves clients, on the port that it is told', async () => {
    const first = await start()
    await connect(first).appendToStream('a-1', counted(1))
    await first.stop()
    expect(first.isRunning).toBe(false)
    const second = await start(portOf(first))
    expect(second.url).toBe(first.url)
    await connect(second).appendToStream('a-1', counted(1))
  })

  it('says why where it can not start', async () => {
    const double = await start()
    await expect(startDoubleProcess({ port: portOf(double) })).rejects.toThrow('EADDRINUSE')
    await expect(startDoubleProcess({ port: 65_536 })).rejects.toThrow('is no port')
  })

  it('stands still under SIGSTOP, and does what it was asked once it goes on', async () => {
    const double = await start()
    const client = connect(double)
    await client.appendToStream('a-1', counted(1))
    double.signal('SIGSTOP')
    let isAnswered = false
    const append = client.appendToStream('a-1', counted(2)).then(() => (isAnswered = true))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(isAnswered).toBe(false)
    double.signal('SIGCONT')
    await append
  })

  it('ends with its standard input, and so with whoever started it', async () => {
    const child = spawn(process.execPath, [doubleProgram()], { stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdin.end()
    expect(await ended).toEqual([0, null])
  })

  it('can be ended while it stands still', async () => {
    const double = await start()
    double.signal('SIGSTOP')
    await double.stop()
    expect(double.isRunning).toBe(false)
    await double.stop()
  })
})
