import type { Reporter, TestModule } from 'vitest/node'

const shown = 20

/** Prints the files that took longest, at the end of a run. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < shown) return
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, took_ms: module.diagnostic().duration }))
      .toSorted((one, other) => other.took_ms - one.took_ms)
      .slice(0, shown)
    const lines = slowest.map(({ file, took_ms }) => `${(took_ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
    process.stdout.write(`\nThe slowest files\n${lines.join('\n')}\n`)
  }
}
