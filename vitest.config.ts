import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { patience_ms } from './test/support/pace.ts'
import { faultSuites, processSuites } from './test/support/process-suites.ts'
import { UncaughtErrors } from './test/support/uncaught-errors.ts'

const shared: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['test/support/clean-worker.ts'],
  pool: 'forks',
  // Workers have memory to spare and no cores: with V8's own settings, collecting garbage takes a fifteenth of the processor more.
  execArgv: [
    '--min-semi-space-size=32',
    '--max-semi-space-size=128',
    '--initial-old-space-size=2048',
    '--single-threaded-gc',
  ],
  // A worker loads the product once for all of its files: for each file anew, that took half of the time. So no file may
  // leave anything behind in its process.
  isolate: false,
  // A property runs its cases inside one test, and the first test of a file may wait for a server.
  // A fact that is waited for may take its time where a machine is busy: only one that never comes fails.
  expect: { poll: { interval: 20, timeout: patience_ms } },
  testTimeout: 600_000,
  hookTimeout: 600_000,
}
// A server that is named is used by one suite at a time (test/support/event-store-server.ts).
const processWorkers = process.env['EVENTSTORE_URL'] === undefined ? 4 : 1
const exclude = [...configDefaults.exclude, 'dist/**', 'data/**']

/** Runs after those before it, with so many workers. */
const project = (
  name: string,
  groupOrder: number,
  maxWorkers: number,
  include: readonly string[],
  excluded: readonly string[] = [],
): TestProjectInlineConfiguration => ({
  test: {
    ...shared,
    name,
    include: [...include],
    exclude: [...exclude, ...excluded],
    maxWorkers,
    sequence: { groupOrder },
  },
})

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    teardownTimeout: 20_000,
    // What was transformed stays for the next run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // .ci/run counts the tests from the JSON files (test/run.mjs).
    reporters: ['default', 'json', new UncaughtErrors()],
    outputFile: { json: 'dist/test-results.json' },
    projects: [
      // They start processes and wait for them: more workers than cores fill the waits.
      project('processes', 0, processWorkers, processSuites, [faultSuites]),
      // They compute: more workers than cores would only add waiting.
      project('parts', 1, 2, ['test/**/*.test.ts'], [faultSuites, ...processSuites]),
      project('faults', 2, processWorkers, [faultSuites]),
    ],
  },
})
