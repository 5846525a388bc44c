import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.js'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**', 'data/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Tests hold real servers (Postgres, HTTP, websockets), so more workers than the two cores of CI only add waiting.
    maxWorkers: 2,
    // A worker loads the product once for all of its files: for each file anew, that took half of the time. So no file may
    // leave anything behind in its process.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A property runs its cases inside one test, and the first test of a file may wait for a server.
    // A fact that is waited for may take its time where a machine is busy: only one that never comes fails.
    expect: { poll: { interval: 20, timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // .ci/run counts the tests from the JSON file.
    reporters: ['default', 'json'],
    outputFile: { json: 'dist/test-results.json' },
  },
})
