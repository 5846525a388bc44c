import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { placeOf } from './longest-first.ts'

const tests = path.resolve(import.meta.dirname, '..')
const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => path.join(tests, file))
const clockless = files.filter((file) => /\bvi\.useFakeTimers\(/.test(readFileSync(file, 'utf8')))

describe('files that replace the clock of their worker', () => {
  it('run before all others, and so before any server that a worker keeps', () => {
    const others = files.filter((file) => !clockless.includes(file))
    const last = clockless
      .map((moduleId) => placeOf({ moduleId }))
      .toSorted()
      .at(-1)
    const first = others.map((moduleId) => placeOf({ moduleId })).toSorted()[0]
    expect(clockless.length).toBeGreaterThan(0)
    expect([last, first]).toEqual(['0', '1'])
  })

  it('share no server', () => {
    const sharing = clockless.filter((file) =>
      /\b(?:openServer|openScene|sharedGuildhall)\(/.test(readFileSync(file, 'utf8')),
    )
    expect(sharing).toEqual([])
  })
})

describe('files that play chapters', () => {
  it('run before other files that start processes', () => {
    const chapters = path.join(tests, 'faults/clusters/on-postgres.test.ts')
    const other = path.join(tests, 'faults/servers/full-disk.test.ts')
    expect(
      [other, chapters].toSorted((one, another) =>
        placeOf({ moduleId: one }).localeCompare(placeOf({ moduleId: another })),
      ),
    ).toEqual([chapters, other])
  })
})
