import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { startWatchdog, stood_ms_max, unknownWork } from '../../adapters/telemetry/watchdog.ts'
import { openWork, working } from '../../application/observation/at-work.ts'
import { workNameOf } from '../../gateway/protocol/opcodes.ts'
import { act } from '../adapters/http/operations.ts'
import { afterThisTest, startServer } from '../adapters/http/support.ts'
import { openServer } from '../operations/support/scene.ts'

/** The log and the metrics name the operation that blocks the event loop. */

type Line = Readonly<Record<string, unknown>>

function watched() {
  const lines: Line[] = []
  const registry = new Registry()
  afterThisTest(startWatchdog({ registry, logger: { warn: (line: object) => void lines.push(line as Line) } }))
  const metric = async () => (await registry.metrics()).split('\n').filter((line) => /_count\{/.test(line))
  return { lines, metric }
}

const keepBusy = (busy_ms: number): void => {
  const began = performance.now()
  while (performance.now() - began < busy_ms);
}

const long_ms = stood_ms_max * 2

describe('when the event loop is blocked', () => {
  it('the running operation is named, with its duration', async () => {
    const { lines, metric } = watched()
    const server = await startServer([
      act(async () => {
        keepBusy(long_ms)
        return {}
      }),
    ])
    expect((await server.fetch('/v1/things', { method: 'POST' })).status).toBe(200)
    await expect
      .poll(() => lines.find(({ atWork }) => atWork === 'Act'))
      .toMatchObject({
        stood_ms: expect.any(Number),
        longest: { name: 'Act', took_ms: expect.any(Number) },
        open: expect.arrayContaining(['Act']),
      })
    expect(await metric()).toContainEqual(expect.stringContaining('at_work="Act"'))
  })

  it('an operation that continues after a wait is named if no other is open', async () => {
    const { lines } = watched()
    const server = await startServer([
      act(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        keepBusy(long_ms)
        return {}
      }),
    ])
    // In a server that other files share, another operation may be open in between.
    const named = async () => {
      expect((await server.fetch('/v1/things', { method: 'POST' })).status).toBe(200)
      return lines.map(({ atWork }) => atWork)
    }
    await expect.poll(named, { interval: 500 }).toContain('Act')
  })

  it('no operation is named if it is not clear which one, but the open ones are', async () => {
    const { lines } = watched()
    const ends = [openWork('one'), openWork('other')]
    keepBusy(long_ms)
    for (const end of ends) end()
    await expect
      .poll(() => lines)
      .toContainEqual(expect.objectContaining({ atWork: unknownWork, open: expect.arrayContaining(['one', 'other']) }))
  })

  it('there is at most one line a second, and every block is counted', async () => {
    const { lines, metric } = watched()
    for (let count = 0; count < 3; count += 1) {
      working('work', () => keepBusy(long_ms))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(lines.filter(({ atWork }) => atWork === 'work').length).toBeLessThan(3)
    expect(await metric()).toContainEqual(expect.stringMatching(/at_work="work"\} 3$/))
  })

  it('short work is not logged', async () => {
    const { lines } = watched()
    working('short', () => keepBusy(stood_ms_max / 4))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(lines.filter(({ atWork }) => atWork === 'short')).toEqual([])
  })

  it('work that throws is named too, and still throws', async () => {
    const { lines } = watched()
    const fail = (): never => {
      keepBusy(long_ms)
      throw new Error('as asked')
    }
    expect(() => working('failing', fail)).toThrow('as asked')
    await expect.poll(() => lines.map(({ atWork }) => atWork)).toContain('failing')
  })

  it('payloads are named by the server, whatever their opcode is', () => {
    expect(workNameOf(2)).toBe('gateway identify')
    for (const op of ['2', '__proto__', 1e9, null, {}]) expect(workNameOf(op)).toBe('gateway unknown opcode')
  })
})

describe('a whole server', async () => {
  const lines: Line[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  const guildhall = await openServer({ logger })

  it('reports it in its log and at /_metrics', async () => {
    // A line may have been written within the second before.
    const isTold = () => {
      working('a test', () => keepBusy(long_ms))
      return lines.some(({ atWork }) => atWork === 'a test')
    }
    await expect.poll(isTold, { interval: 500 }).toBe(true)
    expect(lines.find(({ atWork }) => atWork === 'a test')).toMatchObject({ level: 40, msg: 'the event loop stood' })
    const page = async () => String((await guildhall.request('GET', '/_metrics')).body)
    await expect.poll(page).toMatch(/^guildhall_event_loop_stood_seconds_count\{at_work="a test"\} [1-9]/m)
  })
})
