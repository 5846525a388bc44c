/**
 * Tests that start processes or wait for times of their own: a project of its own in vitest.config.ts, with more workers than
 * cores. Folders, and files by the beginning of their names.
 */
export const processSuites: readonly string[] = [
  'test/faults/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/roles/**/*.test.ts',
  'test/adapters/postgres/embedded/*.test.ts',
  'test/adapters/jobs/*.test.ts',
  'test/abuse/flood.test.ts',
  // They wait more than they compute.
  'test/adapters/bus/nats/*.test.ts',
  'test/adapters/event-store/eventstoredb/*.test.ts',
  'test/adapters/locks/*.test.ts',
  'test/adapters/mail/*.test.ts',
  'test/adapters/postgres/{held-connections,shared-lookups}.test.ts',
  'test/adapters/status/*.test.ts',
  'test/abuse/{connections,network-bans,slow-bodies}.test.ts',
  'test/operations/request-costs.test.ts',
]
