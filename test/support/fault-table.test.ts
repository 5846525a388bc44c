import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { faultTable, faultTableVariable, noteFault, type FaultCounts } from './fault-table.ts'

const zeros: FaultCounts = {
  title: 'a fault',
  runs: 3,
  lost: 0,
  repeated: 0,
  reordered: 0,
  divergent: 0,
  stuck_s: 0.25,
}

describe('the fault table', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'guildhall-fault-table-'))
    file = path.join(folder, 'rows')
    vi.stubEnv(faultTableVariable, file)
  })

  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  const lines = (): readonly string[] => (faultTable(file) ?? '').split('\n')

  it('has its rows in the order of the matrix, whatever the order in which they came', () => {
    for (const row of ['F10', 'F2', 'F27b', 'F27a', 'F1']) noteFault(row, zeros)
    expect(lines().map((line) => line.split(' ')[0])).toStrictEqual(['row', 'F1', 'F2', 'F10', 'F27a', 'F27b', 'all'])
  })

  it('adds up what was counted, and gives the longest time that something stood still', () => {
    noteFault('F1', { ...zeros, lost: 2, stuck_s: 1.5, note: 'seed 7' })
    noteFault('F2', { ...zeros, lost: 1, repeated: 4, reordered: 5, divergent: 6, runs: 10 })
    expect(lines().at(-1)?.split(/ {2,}/)).toStrictEqual([
      'all',
      '2 rows',
      '13',
      '3',
      '4',
      '5',
      '6',
      '1.50',
      'BROKEN',
      'stuck: the longest',
    ])
    expect(lines()[1]).toMatch(/BROKEN {3}seed 7$/)
  })

  it('says that a row held where nothing was lost, repeated, reordered or divergent', () => {
    noteFault('F3', zeros)
    expect(lines()[1]).toMatch(/^F3 .* held$/)
  })

  for (const broken of ['lost', 'repeated', 'reordered', 'divergent'] as const) {
    it(`says that a row is broken where one thing is ${broken}`, () => {
      noteFault('F3', { ...zeros, [broken]: 1 })
      expect(lines()[1]).toContain('BROKEN')
    })
  }

  it('is not printed where nothing was noted', () => {
    expect(faultTable(file)).toBeUndefined()
    writeFileSync(file, '')
    expect(faultTable(file)).toBeUndefined()
  })

  it('refuses a row that was not run, a count below zero and a row that is not of the matrix', () => {
    expect(() => noteFault('F3', { ...zeros, runs: 0 })).toThrow(/runs/)
    expect(() => noteFault('F3', { ...zeros, lost: -1 })).toThrow(/lost/)
    expect(() => noteFault('somewhere', zeros)).toThrow(/row/)
    expect(faultTable(file)).toBeUndefined()
  })

  it('keeps each row on a line of its own', () => {
    noteFault('F1', { ...zeros, note: 'two\nlines' })
    noteFault('F2', zeros)
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3)
  })
})
