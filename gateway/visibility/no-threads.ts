import type { ThreadLookups } from '../../application/ports/thread-lookups.ts'

/** Of a Gateway without threads. */
export const noThreads: ThreadLookups = {
  find: async () => undefined,
  heardBy: async () => new Map(),
  activeFor: async () => [],
  talliesOf: async () => new Map(),
}
