import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOutages, quiet_ms } from '../../../application/health/open-outages.ts'
import { partOf } from '../../../application/health/part-of.ts'
import { ReadModelsBehind } from '../../../application/failures/read-models-behind.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { PostgresUnavailable } from '../../../adapters/postgres/postgres-unavailable.ts'
import { LocksUnavailable } from '../../../adapters/locks/postgres-locks.ts'

type Line = readonly [message: string, entry: Readonly<Record<string, unknown>>]

/** Outages on a clock that the test moves, and their log lines. */
function opened(level = 'info') {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: Line[] = []
  const keep = (entry: object, message: string): void => void lines.push([message, { ...entry }])
  const log = { warn: keep, debug: keep, isLevelEnabled: (asked: string) => asked === level }
  const outages = openOutages({ log })
  onTestFinished(() => outages.close())
  return { outages, lines, messages: () => lines.map(([message]) => message) }
}

const gone = new PostgresUnavailable('gone')
const about = () => ({ operation: 'Get guild' })

describe('an outage', () => {
  it('is logged once at its beginning and once at its end, with the part and the count, however much fails', () => {
    const { outages, lines } = opened()
    for (let index = 0; index < 1845; index += 1) {
      expect(outages.failed(gone, about)).toBe(true)
      vi.advanceTimersByTime(40)
    }
    expect(lines).toEqual([['an outage begins', { operation: 'Get guild', part: 'postgres' }]])
    expect(outages.current).toMatchObject([{ part: 'postgres' }])
    vi.advanceTimersByTime(quiet_ms + 1000)
    expect(lines.slice(1)).toEqual([['an outage is over', { part: 'postgres', lasted_s: 73.8, failures: 1845 }]])
    expect(outages.current).toEqual([])
  })

  it('goes on while a check finds the part out, without counting that', () => {
    const { outages, lines, messages } = opened()
    for (let index = 0; index < 20; index += 1) {
      outages.lasts('nats', about)
      vi.advanceTimersByTime(quiet_ms - 1000)
    }
    expect(messages()).toEqual(['an outage begins'])
    vi.advanceTimersByTime(quiet_ms)
    expect(lines.at(-1)).toMatchObject(['an outage is over', { part: 'nats', failures: 0 }])
  })

  it('of each part is separate, and a later one of the same part is a new one', () => {
    const { outages, messages } = opened()
    outages.failed(gone, about)
    outages.failed(new ReadModelsBehind('behind'), about)
    vi.advanceTimersByTime(quiet_ms + 1000)
    outages.failed(gone, about)
    expect(messages().filter((message) => message === 'an outage begins')).toHaveLength(3)
    expect(messages().filter((message) => message === 'an outage is over')).toHaveLength(2)
  })

  it('does not include any other error', () => {
    const { outages, lines } = opened()
    expect(outages.failed(new TypeError('a bug'), about)).toBe(false)
    expect(outages.failed('text', about)).toBe(false)
    expect(lines).toEqual([])
  })

  it('logs each failure if the level is debug', () => {
    const { outages, messages } = opened('debug')
    outages.failed(gone, about)
    outages.failed(gone, about)
    expect(messages()).toEqual(['an outage begins', 'failed because of an outage', 'failed because of an outage'])
  })
})

describe('the part that is to blame', () => {
  it('is the deepest that is unavailable, and the disk before all others', () => {
    const full = Object.assign(new Error('could not extend file'), { code: '53100' })
    expect(partOf(new LocksUnavailable('held'))).toBe('locks')
    expect(partOf(new LocksUnavailable('held', { cause: gone }))).toBe('postgres')
    expect(partOf(new PostgresUnavailable('full', { cause: full }))).toBe('disk')
    expect(partOf(full)).toBe('disk')
    expect(partOf(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toBe('disk')
    expect(partOf(new Unavailable('a queue is full'))).toBe('other')
    expect(partOf(new Error('a bug', { cause: new Error('below') }))).toBeUndefined()
  })
})
