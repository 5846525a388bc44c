import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { verdictOf, type Comparison, type Spread } from './rounds.ts'

/** Prints the ratios of all lines as a table, with the limiting factor of each. */
export function printTable(comparisons: readonly Comparison[]): void {
  const head = ['line', 'product', 'baseline', 'unit', 'ratio', 'spread', 'target', '']
  const rows = comparisons.map(({ line, unit, product, baseline, ratio, target }) => [
    line,
    rounded(product.median),
    rounded(baseline.median),
    unit,
    ratio.median.toFixed(2),
    `${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)}`,
    target === undefined ? '-' : target.toFixed(2),
    target === undefined ? '' : verdictOf(ratio.median >= target),
  ])
  console.log(`\n${aligned([head, ...rows])}\n`)
  for (const { line, limit, cpu_us: cost, notes } of comparisons) {
    console.log(`${line}: ${limit}`)
    const { product, baseline } = cost
    if (product > 0)
      console.log(`  CPU for one: ${Math.round(product)} us beside ${Math.round(baseline)} us, without the load's`)
    for (const note of notes) console.log(`  ${note}`)
  }
}

/** Writes the measurements as JSON. Gives the name of the file. */
export function writeResults(folder: string, comparisons: readonly Comparison[]): string {
  mkdirSync(folder, { recursive: true })
  const at = new Date().toISOString()
  const file = path.join(folder, `${at.replaceAll(':', '-')}.json`)
  const machine = {
    cpus: os.cpus().length,
    model: os.cpus()[0]?.model,
    memory_bytes: os.totalmem(),
    node: process.version,
  }
  writeFileSync(file, `${JSON.stringify({ at, commit: commit(), machine, comparisons }, undefined, 2)}\n`)
  return file
}

/** The current commit; undefined outside a repository, or before its first commit. */
function commit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', '--verify', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch (error) {
    return error instanceof Error ? undefined : String(error)
  }
}

export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const rounded = (value: Spread['median']): string => Math.round(value).toLocaleString('en')
