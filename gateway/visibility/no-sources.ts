import type { Sources } from './lookups.ts'

/** Of a Gateway without threads, messages, notes and read states. */
export const noSources: Pick<Sources, 'threads' | 'lastMessages' | 'notes' | 'readStates'> = {
  threads: {
    find: async () => undefined,
    heardBy: async () => new Map(),
    activeFor: async () => [],
    talliesOf: async () => new Map(),
  },
  lastMessages: async () => new Map(),
  notes: { of: async () => new Map(), find: async () => undefined },
  readStates: { of: async () => [], forgetLeft: async () => undefined },
}
