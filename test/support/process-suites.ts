/**
 * Tests that start processes and wait for them: a project of its own in vitest.config.ts, with more workers than cores.
 * Folders, and files by the beginning of their names.
 */
export const processSuites: readonly string[] = [
  'test/faults/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/roles/**/*.test.ts',
  'test/adapters/postgres/embedded/*.test.ts',
  'test/adapters/jobs/*.test.ts',
  'test/abuse/flood.test.ts',
]
