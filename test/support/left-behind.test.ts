import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { held, keptInWorker, leftBehind } from './left-behind.ts'
import { testDatabase } from './test-database.ts'

describe('what a file leaves behind in its worker', () => {
  it('is nothing where nothing was opened', () => {
    expect(leftBehind(held())).toEqual([])
  })

  it('is a listener, until it is closed', async () => {
    const before = held()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    expect(leftBehind(before)).toEqual([`listener on ${(server.address() as AddressInfo).port}`])
    server.close()
    await once(server, 'close')
    expect(leftBehind(before)).toEqual([])
  })

  it('is a process, until it has ended', async () => {
    const before = held()
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'inherit'] })
    expect(leftBehind(before)).toEqual([`process ${process.execPath} -e process.stdin.resume()`])
    child.stdin.end()
    await once(child, 'close')
    await expect.poll(() => leftBehind(before)).toEqual([])
  })

  it('is a database, until it is dropped', async () => {
    const before = held()
    const { connection, close } = await testDatabase()
    expect(leftBehind(before)).toEqual([connection.database])
    await close()
    expect(leftBehind(before)).toEqual([])
  })

  it('is a setting of the environment, a folder and a clock that is not real', () => {
    const before = held()
    vi.stubEnv('GUILDHALL_LEFT', 'behind')
    expect(leftBehind(before)).toEqual(['process.env.GUILDHALL_LEFT=behind'])
    vi.unstubAllEnvs()
    vi.useFakeTimers()
    expect(leftBehind(before)).toContain('timers faked')
    vi.useRealTimers()
    expect(leftBehind(before)).toEqual([])
  })

  it('is nothing that the worker keeps for all files, and is again where there is more of it', async () => {
    const before = held()
    const open = async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }
    const kept = await keptInWorker(open)
    expect(leftBehind(before)).toEqual([])
    const more = await open()
    expect(leftBehind(before)).toHaveLength(1)
    for (const server of [kept, more]) server.close()
  })
})
