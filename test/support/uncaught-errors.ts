import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, Vitest } from 'vitest/node'

/**
 * Writes beside the results where there were errors that nobody caught, such as a promise that rejected after its test: a file for
 * each, or null. They fail a run, and stand in the results of no test (test/run.mjs).
 */
export class UncaughtErrors implements Reporter {
  #results: string | undefined

  onInit({ config: { outputFile } }: Vitest): void {
    this.#results = typeof outputFile === 'object' ? outputFile['json'] : outputFile
  }

  onTestRunEnd(_files: unknown, errors: readonly SerializedError[]): void {
    if (this.#results === undefined) return
    const files = errors.map((error): unknown => error['VITEST_TEST_PATH'] ?? null)
    writeFileSync(this.#results.replace('.json', '-uncaught.json'), JSON.stringify(files))
  }
}
