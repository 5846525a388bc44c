import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**', 'data/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Tests hold real servers (Postgres, HTTP, websockets), so more workers than the two cores of CI only add waiting.
    maxWorkers: 2,
    // A property runs its cases inside one test, and the first test of a file may wait for a server.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // .ci/run counts the tests from the JSON file.
    reporters: ['default', 'json'],
    outputFile: { json: 'dist/test-results.json' },
  },
})
