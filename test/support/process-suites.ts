/** What `npm run test:faults` runs: tests whose subject is death, load or time. `npm test` runs all others. */
export const faultSuites = 'test/faults/**/*.test.ts'

/**
 * Tests of `npm test` that start processes, or wait more than they compute: a project of its own in vitest.config.ts, with more
 * workers than cores. Folders, and files by the beginning of their names.
 */
export const processSuites: readonly string[] = [
  'test/cli/**/*.test.ts',
  'test/client/*.test.ts',
  'test/roles/**/*.test.ts',
  'test/adapters/postgres/embedded/*.test.ts',
  'test/adapters/jobs/*.test.ts',
  'test/adapters/bus/nats/*.test.ts',
  'test/adapters/event-store/eventstoredb/*.test.ts',
  'test/adapters/locks/*.test.ts',
  'test/adapters/mail/*.test.ts',
  'test/adapters/status/*.test.ts',
  'test/abuse/{connections,drawn-and-claimed-codes,network-bans}.test.ts',
  'test/docs/{audit-tools,first-bot,property-tests}.test.ts',
  'test/operations/request-costs.test.ts',
]
