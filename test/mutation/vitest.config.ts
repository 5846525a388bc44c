import { defineConfig } from 'vitest/config'

/** The tests of aggregates alone, which need no server: Stryker runs them for each change that it plants. */
export default defineConfig({
  test: { include: ['test/domain/**/*.test.ts'], pool: 'forks', isolate: false, testTimeout: 600_000 },
})
